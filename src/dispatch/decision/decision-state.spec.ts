import type { LastAssignment, TurnToReturn } from '../../assignments/index.js';
import { routerOf, stored } from '../../../test/units/configuration.js';
import {
  EMPTY_ROTATION_STATE,
  NOTHING_ASSIGNED,
  type RotationState,
  type Workload,
} from '../../engine/index.js';
import { engine, NOON, user } from '../../../test/units/engine-fixtures.js';
import { valueOf } from '../../records/index.js';
import { storedContact } from '../../../test/units/stored-contact.js';
import type { RouterSnapshot } from '../snapshot/router-snapshot.js';
import { snapshotOf } from '../../../test/units/decisions.js';
import { DecisionState } from './decision-state.js';
import { RouterState } from './router-state.js';

const [ADA, BOB, EVE] = ['ada@acme.test', 'bob@acme.test', 'eve@acme.test'] as const;
const MINUTE = 60_000;
const users = [user('ada', { limits: { day: 1 } }), user('bob'), user('eve')];
const settings = stored({ overwrite: true, reimburseWithinMinutes: 10 });
const people = ['ada', 'bob', 'eve'];
const routers = [routerOf('R', people, { settings }), routerOf('S', people, { settings })];
const [R, S] = [snapshotOf({ users, routers }, 'R'), snapshotOf({ users, routers }, 'S')];

/** The assignment by which Ada holds the record `held`. */
const byAda = (values: Partial<LastAssignment> = {}): LastAssignment => ({
  id: 'entry',
  objectId: 'held',
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

/** What decisions start with. */
interface Start {
  readonly rotations: Readonly<Record<string, RotationState>>;
  readonly held?: LastAssignment;
  readonly turns?: readonly TurnToReturn[];
  /** Assignments of Ada today. */
  readonly assigned?: number;
}

function begin({ rotations, held = byAda(), turns = [], assigned = 0 }: Start) {
  const states = new Map(
    Object.entries(rotations).map(([id, rotation]) => {
      const router = new RouterState(id === 'R' ? R : S, new Map([['', rotation]]));
      router.settle(turns.filter(({ routerId }) => routerId === id));
      return [id, router] as const;
    }),
  );
  const workloads = new Map([[ADA, adaHas(assigned)]]);
  const state = new DecisionState(engine, { routers: states, workloads, held: new Map([['held', held]]) });
  /** Runs a router on the record `held` with that owner, or on a new record. */
  const next = (snapshot: RouterSnapshot, owner?: string): string => {
    const record =
      owner === undefined ? storedContact('new') : storedContact('held', { contact_owner: owner });
    const get = (name: string) => valueOf(record, name);
    const input = { id: record.id, objectType: 'contacts', get } as const;
    const routed = engine.route(snapshot.compiled, input);
    const decision = state.decide(snapshot, { record, input, routed, matchedOwner: null }, NOON);
    return decision.assigned ? decision.user : decision.reason;
  };
  return { state, next };
}

/** The rotation after Ada had the first turn. */
const afterAda = (): RotationState => {
  const { state, next } = begin({ rotations: { R: EMPTY_ROTATION_STATE } });
  expect(next(R)).toBe(ADA);
  return state.changesOf('R').rotations.get('')!;
};

describe('a dispatch that takes a record from its owner [contract 4]', () => {
  it('returns the turn of its own router: the credits are as if it had not been given', () => {
    const { state, next } = begin({ rotations: { R: afterAda() } });
    expect(next(R, ADA)).toBe(BOB);
    const { rotations, takenBack, settled } = state.changesOf('R');
    expect({ takenBack, settled }).toEqual({
      takenBack: [{ assignment: byAda(), owesTurn: false }],
      settled: [],
    });
    const ledger = rotations.get('')?.ledgers.get('users');
    const credits = ['ada', 'bob', 'eve'].map((name) => ledger?.get(`id-${name}`)?.credit ?? 0n);
    expect(credits).toEqual([credits[0], -2n * credits[0]!, credits[0]]);
    expect(credits[0]).toBeGreaterThan(0n);
    expect(next(R)).toBe(ADA);
  });

  it('leaves the turn of a router that takes no part to its next dispatch', () => {
    const { state, next } = begin({ rotations: { S: afterAda() } });
    expect(next(S, ADA)).toBe(BOB);
    expect(state.changesOf('S').takenBack).toEqual([{ assignment: byAda(), owesTurn: true }]);
    expect(state.changesOf('R')).toEqual({ rotations: new Map() });
  });

  it('returns the turn of another router that takes part', () => {
    const { state, next } = begin({ rotations: { R: afterAda(), S: afterAda() } });
    expect(next(S, ADA)).toBe(BOB);
    expect(state.changesOf('S').takenBack).toMatchObject([{ owesTurn: false }]);
    expect(state.changesOf('R').rotations.has('')).toBe(true);
    expect(next(R)).toBe(ADA);
  });

  it('returns the use of the limits, which have room for the next record then', () => {
    const full = begin({ rotations: { R: afterAda() }, assigned: 1 });
    expect([full.next(R), full.next(R), full.next(R)]).not.toContain(ADA);
    const { next } = begin({ rotations: { R: afterAda() }, assigned: 1 });
    expect([next(R, ADA), next(R)]).toEqual([BOB, ADA]);
  });

  it('returns the use of an assignment that was no turn', () => {
    const held = byAda({ rotationKey: null });
    const { state, next } = begin({ rotations: { S: afterAda() }, held, assigned: 1 });
    expect(next(S, ADA)).toBe(BOB);
    expect(state.changesOf('S').takenBack).toEqual([{ assignment: held, owesTurn: false }]);
  });

  it('returns nothing where it leaves the record with its owner', () => {
    const { state, next } = begin({ rotations: { R: EMPTY_ROTATION_STATE } });
    expect(next(R, ADA)).toBe(ADA);
    expect(state.changesOf('R')).toMatchObject({ takenBack: [], rotations: new Map() });
  });

  it.each([
    ['after its minutes', byAda({ at: new Date(NOON.getTime() - 10 * MINUTE - 1) })],
    ['where somebody else holds it by now', byAda({ user: EVE })],
    ['of a router that returns none', byAda({ routerId: 'T' })],
  ])('returns nothing %s', (_, held) => {
    const { state, next } = begin({ rotations: { R: afterAda() }, held });
    expect(next(R, ADA)).toBe(BOB);
    expect(state.changesOf('R').takenBack).toEqual([]);
  });
});

describe('turns that are owed since another transaction [contract 4]', () => {
  it('are returned before the next turn is given, and settled also where there is no such rotation', () => {
    const turn = { id: 'entry', routerId: 'R', rotationKey: '', team: null, oldOwner: ADA, newOwner: BOB };
    const turns = [turn, { ...turn, id: 'gone', rotationKey: 'rule:Gone' }];
    const { state, next } = begin({ rotations: { R: afterAda() }, turns });
    expect(state.changesOf('R')).toMatchObject({ settled: ['entry', 'gone'] });
    expect([next(R), next(R)]).toEqual([ADA, EVE]);
  });
});
