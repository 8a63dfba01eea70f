import type { AssignmentsRepository, LastTurn } from '../../assignments/index.js';
import {
  configurationOf,
  routerOf,
  stored,
  type Configured,
} from '../../configuration/testing/configuration.js';
import type { Database, Transaction } from '../../database/index.js';
import type { RotationState } from '../../engine/index.js';
import { NOON, user } from '../../engine/testing/fixtures.js';
import type { RecordWrite, RecordWriteSteps } from '../../records/index.js';
import { storedContact } from '../../records/testing/stored-contact.js';
import type { RotationKey, RotationRow } from '../rotations/rotations.repository.js';
import { snapshots } from '../testing/decisions.js';
import type { DispatchLocks } from '../transaction/dispatch-locks.js';
import { ReturnedTurns } from './returned-turns.js';

const MINUTE = 60_000;
const [ADA, BOB] = ['ada@acme.test', 'bob@acme.test'];
const tx = {} as Transaction;
const database = { for: (): unknown => database } as unknown as Database;

/** The rotation of Ada and Bob after Ada had a turn. */
const AFTER_ADA: RotationState = {
  seq: 1,
  ledgers: new Map([
    [
      'users',
      new Map([
        ['id-ada', { credit: -500n, last: 1 }],
        ['id-bob', { credit: 500n, last: 0 }],
      ]),
    ],
  ]),
};

/** The log and the rotations: notes what is asked and done, in order. */
class FakeStore {
  readonly events: string[] = [];
  /** Routers among which the last turn was looked for. */
  asked: readonly string[] | undefined;
  /** The instant from which on it was looked for. */
  since: number | undefined;
  last: LastTurn | undefined = {
    id: 'entry',
    routerId: 'R',
    user: ADA,
    rotationKey: '',
    team: null,
    at: NOON,
  };
  states = new Map<string, RotationState>([['', AFTER_ADA]]);
  private returned = false;

  findLastTurn(
    db: unknown,
    { accountId }: any,
    { objectId, routerIds, since }: any,
  ): Promise<LastTurn | undefined> {
    this.since = since;
    expect([db, accountId, objectId]).toEqual([database, 'acme', 'record']);
    this.asked = routerIds;
    return Promise.resolve(this.last);
  }
  markTurnReturned(_: unknown, { accountId }: any, id: string): Promise<boolean> {
    this.events.push(`mark ${accountId} ${id}`);
    const first = !this.returned;
    this.returned = true;
    return Promise.resolve(first);
  }
  waitForRouter(_: unknown, { accountId }: any, id: string): Promise<void> {
    this.events.push(`lock ${accountId} ${id}`);
    return Promise.resolve();
  }
  read(_: unknown, __: unknown, [wanted]: readonly RotationKey[]): Promise<RotationRow[]> {
    const { routerId, key } = wanted!;
    this.events.push(`read ${routerId} ${key}`);
    const state = this.states.get(key);
    return Promise.resolve(state === undefined ? [] : [{ routerId, key, state }]);
  }
  replace(_: unknown, __: unknown, { routerId, key, state }: any): Promise<void> {
    this.events.push(`replace ${routerId} ${key}`);
    this.states.set(key, state);
    return Promise.resolve();
  }
  /** What the rotation owes. */
  credits(key = ''): Record<string, bigint> {
    const ledger = this.states.get(key)?.ledgers.get('users') ?? new Map();
    return Object.fromEntries([...ledger].map(([member, { credit }]) => [member, credit]));
  }
}

let store: FakeStore;
let hook: ReturnedTurns;
let now: number;

beforeEach(() => {
  store = new FakeStore();
  now = NOON.getTime();
  jest.spyOn(Date, 'now').mockImplementation(() => now);
  hook = new ReturnedTurns(
    database,
    store as unknown as AssignmentsRepository,
    store as unknown as DispatchLocks,
    store,
    snapshots(),
  );
});
afterEach(() => jest.restoreAllMocks());

const returning = (minutes = 10, values = {}) =>
  stored({ reimburseWithinMinutes: minutes, overwrite: true, ...values });
const USERS = ['ada', 'bob', 'eve'].map((name) => user(name));
const ROUTER = routerOf('R', ['ada', 'bob'], { settings: returning() });

/** An update of a contact that gives it to Bob. */
const write = (values: Partial<RecordWrite> = {}, configured: Configured = {}): RecordWrite => ({
  action: 'update',
  client: { accountId: 'acme', clientId: 'client', scopes: new Set() },
  objectType: 'contacts',
  id: 'record',
  changes: new Map([['contact_owner', BOB]]),
  configuration: configurationOf({ users: USERS, routers: [ROUTER], ...configured }),
  ...values,
});

/** Runs both steps of a write on a record that Ada has. */
async function run(steps: RecordWriteSteps | undefined, owner: string | null = ADA): Promise<void> {
  const fields = owner === null ? {} : { contact_owner: owner };
  await steps?.before?.(tx);
  await steps?.after?.(tx, { previous: storedContact('record', fields), record: storedContact('record') });
}

describe('a record that is given to somebody else soon after a turn', () => {
  it('returns the turn: the old owner is owed it, the new one is charged [contract 4]', async () => {
    await run(await hook.onWrite(write()));
    expect(store.events).toEqual(['lock acme R', 'mark acme entry', 'read R ', 'replace R ']);
    const { 'id-ada': ada, 'id-bob': bob } = store.credits();
    expect(ada).toBeGreaterThan(0n);
    expect(ada! + bob!).toBe(0n);
  });

  it('returns it to the rotation of the rule that gave it [contract 4]', async () => {
    const rules = [
      { name: 'VIP', trigger: { groups: [] }, users: [{ email: ADA }, { email: BOB }], teams: [], distributionModel: null, rotationType: null },
    ];
    const routers = [routerOf('R', ['eve'], { settings: returning(10, { rules }) })];
    store.last = { ...store.last!, rotationKey: 'rule:VIP' };
    store.states = new Map([['rule:VIP', AFTER_ADA]]);
    await run(await hook.onWrite(write({}, { routers })));
    expect(store.events.slice(2)).toEqual(['read R rule:VIP', 'replace R rule:VIP']);
    expect(store.credits('rule:VIP')['id-ada']).toBeGreaterThan(0n);
  }); // prettier-ignore

  it('charges the other members where nobody gets it [contract 4]', async () => {
    await run(await hook.onWrite(write({ changes: new Map([['contact_owner', null]]) })));
    expect(store.credits()['id-ada']).toBeGreaterThan(0n);
  });

  it('invents no credit for a rotation that has none', async () => {
    store.states = new Map();
    await run(await hook.onWrite(write()));
    expect(store.credits()).toEqual({});
  });

  it('returns it once, however often it is given away [contract 4]', async () => {
    const steps = await hook.onWrite(write());
    await run(steps);
    const credits = store.credits();
    await run(steps);
    expect(store.credits()).toEqual(credits);
    expect(store.events.slice(4)).toEqual(['lock acme R', 'mark acme entry']);
  });

  it('returns it until the minutes are over, to the millisecond [contract 4]', async () => {
    now += 10 * MINUTE + 1;
    await run(await hook.onWrite(write()));
    expect(store.events).toEqual(['lock acme R']);
    now -= 1;
    await run(await hook.onWrite(write()));
    expect(store.events.at(-1)).toBe('replace R ');
  });
});

describe('nothing is returned', () => {
  it('where the record stays with its owner [contract 4]', async () => {
    await run(await hook.onWrite(write({ changes: new Map([['contact_owner', ADA]]) })));
    expect(store.events).toEqual(['lock acme R']);
  });

  it.each([['eve@acme.test'], [null]])(
    'where the record was no longer with whom it was given to, but with %s [contract 4]',
    async (owner) => {
      await run(await hook.onWrite(write()), owner);
      expect(store.events).toEqual(['lock acme R']);
    },
  );

  it('where no record was there before', async () => {
    const steps = await hook.onWrite(write());
    await steps?.after?.(tx, { previous: null, record: storedContact('record') });
    expect(store.events).toEqual([]);
  });
});

describe('a write that cannot return a turn is left alone, without a transaction', () => {
  it('where no turn was given', async () => {
    store.last = undefined;
    expect(await hook.onWrite(write())).toBeUndefined();
    expect(store.asked).toEqual(['R']);
  });

  it.each([
    ['a create', { action: 'create', id: null }, {}],
    ['an archive', { action: 'archive' }, {}],
    ['a change of other fields', { changes: new Map([['city', 'Paris']]) }, {}],
    ['a change of another owner field', { changes: new Map([['partner', BOB]]) }, {}],
    ['a record of another type', { objectType: 'deals', changes: new Map([['contact_owner', BOB]]) }, {}],
    ['an account without routers', {}, { routers: [] }],
    ['a router that returns no turns', {}, { routers: [routerOf('R', ['ada'])] }],
    [
      'a router that cannot be compiled and returns no turns',
      {},
      { routers: [routerOf('R', ['ada'], { settings: stored({ distributionModel: 'gone' }) })] },
    ],
    ['a router without settings', {}, { routers: [routerOf('R', ['ada'], { settings: null })] }],
  ] as const)('for %s [contract 4]', async (_, values, configured) => {
    expect(await hook.onWrite(write(values as Partial<RecordWrite>, configured))).toBeUndefined();
    expect(store.asked).toBeUndefined();
  });

  it('and the last turn is looked for among the routers that may return it only [contract 4]', async () => {
    const routers = [
      ROUTER,
      routerOf('never', ['ada']),
      routerOf('partner', ['ada'], { settings: returning(10, { ownerField: 'partner' }) }),
      routerOf('deals', ['ada'], { objectType: 'deals', settings: returning() }),
      routerOf('minute', ['ada'], { settings: returning(1) }),
    ];
    await hook.onWrite(write({}, { routers }));
    expect(store.asked).toEqual(['R', 'minute']);
    expect(store.since).toBe(now - 10 * MINUTE);
  });
});
