import { assignedInstants } from '../../../test/units/assigned-instants.js';
import {
  contact,
  directory,
  engine,
  facts,
  fields,
  NOON,
  router,
  settings,
  user,
} from '../../../test/units/engine-fixtures.js';
import { type Capacity, NOTHING_ASSIGNED, type Workload } from '../model/workload.js';
import { EMPTY_ROTATION_STATE, type RotationState } from '../model/rotation.js';
import type { Book, HeldAssignment, OwedTurn } from './book.js';

const [ADA, BOB] = ['ada@acme.test', 'bob@acme.test'] as const;
const users = directory(user('ada', { limits: { day: 1 } }), user('bob'), user('eve'));
const pool = ['ada', 'bob', 'eve'].map((name) => ({ id: `id-${name}`, email: `${name}@acme.test` }));
const compiled = (id: string) =>
  engine.compile(router({ id, users: pool, settings: settings({ overwrite: true }) }), fields);
const routers = [compiled('R'), compiled('S')];
const [R, S] = routers as [(typeof routers)[0], (typeof routers)[0]];

/** The assignment by which Ada holds the record `held`. */
const byAda = (values: Partial<HeldAssignment> = {}): HeldAssignment => ({
  id: 'entry',
  routerId: 'R',
  user: ADA,
  at: NOON,
  rotationKey: '',
  team: null,
  ...values,
});
const adaHas = (day: number): Workload => ({
  assigned: { ...NOTHING_ASSIGNED, newest: Array<number>(day).fill(NOON.getTime()) },
  owned: 0,
  capacities: new Map(),
});

/** Runs a router on a record, with the present owner if there is one. */
const next = (book: Book, by: typeof R, owner?: string): string => {
  const values = owner === undefined ? {} : { contact_owner: owner };
  const record = { ...contact(values), id: owner === undefined ? 'new' : 'held' };
  const routed = engine.route(by, record);
  const decision = book.decide({ router: by, record, routed, matchedOwner: null });
  return decision.assigned ? decision.user : decision.reason;
};

/** What a book starts with. */
interface Start {
  /** Of the routers' own pools. */
  readonly rotations: Readonly<Record<string, RotationState>>;
  readonly held?: HeldAssignment;
  readonly turns?: readonly OwedTurn[];
  /** Assignments of Ada today. */
  readonly assigned?: number;
}

function open({ rotations, held = byAda(), turns = [], assigned = 0 }: Start): Book {
  const book = engine.open(
    facts({
      routers,
      users,
      workloads: new Map([[ADA, adaHas(assigned)]]),
      rotations: Object.entries(rotations).map(([routerId, state]) => ({ routerId, key: '', state })),
      held: new Map([['held', held]]),
    }),
  );
  for (const turn of turns) book.settle(turn);
  return book;
}
const stateOf = (book: Book, id: string): RotationState | undefined =>
  book.changes.rotations.find(({ routerId }) => routerId === id)?.state;

/** The rotation after Ada had the first turn. */
const afterAda = (): RotationState => {
  const book = open({ rotations: { R: EMPTY_ROTATION_STATE } });
  expect(next(book, R)).toBe(ADA);
  return stateOf(book, 'R')!;
};

describe('a dispatch that takes a record from its owner [contract 4]', () => {
  it('returns the turn of its own router: the credits are as if it had not been given', () => {
    const book = open({ rotations: { R: afterAda() } });
    expect(next(book, R, ADA)).toBe(BOB);
    expect(book.changes).toMatchObject({ returned: ['entry'], owed: [] });
    const ledger = stateOf(book, 'R')?.ledgers.get('users');
    const credits = pool.map(({ id }) => ledger?.get(id)?.credit ?? 0n);
    expect(credits).toEqual([credits[0], -2n * credits[0]!, credits[0]]);
    expect(credits[0]).toBeGreaterThan(0n);
    expect(next(book, R)).toBe(ADA);
  });

  it('leaves the turn of a router that takes no part to its next dispatch', () => {
    const book = open({ rotations: { S: afterAda() } });
    expect(next(book, S, ADA)).toBe(BOB);
    expect(book.changes).toMatchObject({ returned: ['entry'], owed: ['entry'] });
    expect(stateOf(book, 'R')).toBeUndefined();
  });

  it('returns the turn of another router that takes part, also where that decides nothing', () => {
    const book = open({ rotations: { R: afterAda(), S: afterAda() } });
    expect(next(book, S, ADA)).toBe(BOB);
    expect(book.changes.owed).toEqual([]);
    expect(stateOf(book, 'R')).toBeDefined();
    expect(next(book, R)).toBe(ADA);
  });

  it('returns the use of the limits, which have room for the next record then', () => {
    const full = open({ rotations: { R: afterAda() }, assigned: 1 });
    expect([next(full, R), next(full, R), next(full, R)]).not.toContain(ADA);
    const book = open({ rotations: { R: afterAda() }, assigned: 1 });
    expect([next(book, R, ADA), next(book, R)]).toEqual([BOB, ADA]);
  });

  it('returns the use of an assignment that was no turn', () => {
    const book = open({ rotations: { S: afterAda() }, held: byAda({ rotationKey: null }), assigned: 1 });
    expect(next(book, S, ADA)).toBe(BOB);
    expect(book.changes).toMatchObject({ returned: ['entry'], owed: [] });
  });

  it('returns nothing where it leaves the record with its owner', () => {
    const book = open({ rotations: { R: EMPTY_ROTATION_STATE } });
    expect(next(book, R, ADA)).toBe(ADA);
    expect(book.changes).toEqual({ rotations: [], returned: [], owed: [] });
  });
});

describe('turns that are owed since another transaction [contract 4]', () => {
  it('are returned before the next turn is given, and settled also where there is no such rotation', () => {
    const turn = { id: 'entry', routerId: 'R', rotationKey: '', team: null, oldOwner: ADA, newOwner: BOB };
    const turns = [turn, { ...turn, id: 'gone', rotationKey: 'rule:Gone' }];
    const book = open({ rotations: { R: afterAda() }, turns });
    expect(book.changes).toMatchObject({ returned: ['entry', 'gone'], owed: [] });
    expect([next(book, R), next(book, R)]).toEqual([ADA, 'eve@acme.test']);
  });
});

describe('the workloads of a book [contract 4]', () => {
  const open: Capacity = {
    name: 'open',
    objectType: 'contacts',
    field: 'region',
    values: ['emea'],
    maxByEmail: new Map([[BOB, 2]]),
  };
  const workload = (assigned: number, owned: number, inOpen: number): Workload => ({
    assigned: assignedInstants({ hour: assigned, day: assigned, week: assigned, month: assigned }),
    owned,
    capacities: new Map([['open', inOpen]]),
  });
  const limited = directory(user('bob', { limits: { day: 3 } }));
  const seats = [{ id: 'id-bob', email: BOB }];
  const bob = engine.compile(router({ users: seats, settings: settings({ overwrite: true }) }), fields);

  const run = (before: Workload, owners: readonly (string | null)[], imagined = 0): string[] => {
    const book = engine.open(
      facts({ routers: [bob], users: limited, capacities: [open], workloads: new Map([[BOB, before]]) }),
    );
    const asks = owners.map((owner, index) => {
      const record = {
        ...contact({ region: 'emea', ...(owner && { contact_owner: owner }) }),
        id: `r${index}`,
      };
      return { router: bob, record, routed: engine.route(bob, record), matchedOwner: null };
    });
    book.imagine(asks.slice(0, imagined));
    return asks.map((ask) => book.decide(ask).reason);
  };

  it('move with each record that is assigned: its new owner has one more of all', () => {
    const [turn, full] = ['round_robin', 'assignment_limit_reached'];
    expect(run(workload(1, 0, 0), [null, null, null])).toEqual([turn, turn, full]);
    expect(run(workload(2, 0, 0), [null, null])).toEqual([turn, full]);
    expect(run(workload(0, 1, 1), ['eve@acme.test', null])).toEqual([turn, full]);
  });

  it('are without the record for its present owner, to whom imagined ones are added before', () => {
    const [kept, full] = ['already_owner', 'assignment_limit_reached'];
    expect(run(workload(3, 2, 2), [BOB])).toEqual([kept]);
    expect(run(workload(0, 2, 2), [BOB], 1)).toEqual([full]);
  });
});
