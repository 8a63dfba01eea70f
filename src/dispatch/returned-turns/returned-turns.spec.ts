import type { AssignmentsRepository, OwnerChange } from '../../assignments/index.js';
import { configurationOf, routerOf, stored, type Configured } from '../../../test/units/configuration.js';
import type { Transaction } from '../../database/index.js';
import { user } from '../../../test/units/engine-fixtures.js';
import type { RecordWrite, RecordWriteSteps } from '../../records/index.js';
import { storedContact } from '../../../test/units/stored-contact.js';
import { snapshots } from '../../../test/units/decisions.js';
import { ReturnedTurns } from './returned-turns.js';

const [ADA, BOB] = ['ada@acme.test', 'bob@acme.test'];
const tx = {} as Transaction;
const returning = (minutes = 10, values = {}) => stored({ reimburseWithinMinutes: minutes, ...values });
const ROUTER = routerOf('R', ['ada', 'bob'], { settings: returning() });
const USERS = ['ada', 'bob'].map((name) => user(name));

/** What is returned, in order. */
let returned: [tx: unknown, account: unknown, taken: OwnerChange][];
let hook: ReturnedTurns;

beforeEach(() => {
  returned = [];
  const repository = {
    returnLast: (...of: (typeof returned)[number]) => {
      returned.push(of);
      return Promise.resolve();
    },
  };
  hook = new ReturnedTurns(repository as AssignmentsRepository, snapshots());
});

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

/** Runs the steps of a write on a record of Ada's. */
async function run(
  steps: RecordWriteSteps | undefined,
  after: Record<string, string> = { contact_owner: BOB },
  before: Record<string, string> = { contact_owner: ADA },
): Promise<void> {
  expect(steps).not.toHaveProperty('before');
  await steps?.after?.(tx, {
    previous: storedContact('record', before),
    record: storedContact('record', after),
  });
}

describe('a record that is taken from its owner', () => {
  it('returns the assignment, by the minutes of the routers that may have made it [contract 4]', async () => {
    const routers = [
      ROUTER,
      routerOf('never', ['ada']),
      routerOf('partner', ['ada'], { settings: returning(10, { ownerField: 'partner' }) }),
      routerOf('deals', ['ada'], { objectType: 'deals', settings: returning() }),
      routerOf('minute', ['ada'], { settings: returning(1) }),
    ];
    await run(hook.onWrite(write({}, { routers })));
    expect(returned).toEqual([
      [
        tx,
        write().client,
        {
          objectId: 'record',
          minutes: new Map([['R', 10], ['minute', 1]]),
          owner: ADA,
          newOwner: BOB,
        },
      ],
    ]); // prettier-ignore
  });

  it('and left without an owner, does so, too [contract 4]', async () => {
    await run(hook.onWrite(write({ changes: new Map([['contact_owner', null]]) })), {});
    expect(returned[0]?.[2]).toMatchObject({ owner: ADA, newOwner: null });
  });

  it('and archived, does so for every owner field [contract 4]', async () => {
    const other = routerOf('S', ['ada'], { settings: returning(5, { ownerField: 'partner' }) });
    const archive = write({ action: 'archive', changes: new Map() }, { routers: [ROUTER, other] });
    const owners = { contact_owner: ADA, partner: BOB };
    await run(hook.onWrite(archive), owners, owners);
    expect(returned.map(([, , taken]) => taken)).toMatchObject([
      { owner: ADA, newOwner: null, minutes: new Map([['R', 10]]) },
      { owner: BOB, newOwner: null, minutes: new Map([['S', 5]]) },
    ]);
  });
});

describe('nothing is returned', () => {
  it.each([
    ['the record stays with its owner', { contact_owner: ADA }, { contact_owner: ADA }],
    ['it had none', { contact_owner: BOB }, {}],
  ])('where %s [contract 4]', async (_, after, before) => {
    await run(hook.onWrite(write()), after, before);
    expect(returned).toEqual([]);
  });

  it('where no record was there before', async () => {
    const steps = hook.onWrite(write());
    await steps?.after?.(tx, { previous: null, record: storedContact('record') });
    expect(returned).toEqual([]);
  });
});

describe('a write that can return nothing is left alone, without a transaction', () => {
  it.each([
    ['a create', { action: 'create', id: null }, {}],
    ['a change of other fields', { changes: new Map([['city', 'Paris']]) }, {}],
    ['a change of another owner field', { changes: new Map([['partner', BOB]]) }, {}],
    ['a record of another type', { objectType: 'deals', changes: new Map([['contact_owner', BOB]]) }, {}],
    ['an account without routers', {}, { routers: [] }],
    ['a router that returns no turns', {}, { routers: [routerOf('R', ['ada'])] }],
    ['a router without settings', {}, { routers: [routerOf('R', ['ada'], { settings: null })] }],
  ] as const)('for %s [contract 4]', (_, values, configured) => {
    expect(hook.onWrite(write(values as Partial<RecordWrite>, configured))).toBeUndefined();
  });

  it('for an archive where no router returns turns [contract 4]', () => {
    const routers = [routerOf('R', ['ada'])];
    const archive = write({ action: 'archive', changes: new Map() }, { routers });
    expect(hook.onWrite(archive)).toBeUndefined();
  });

  it('and a router that cannot be compiled stops none [contract 4]', () => {
    const routers = [routerOf('R', ['ada'], { settings: stored({ distributionModel: 'gone' }) })];
    expect(hook.onWrite(write({}, { routers }))).toBeUndefined();
  });
});
