import type { RouterConfiguration } from '../model/router-configuration.js';
import {
  contact,
  directory,
  engine,
  fields,
  input,
  routeAndDecide,
  router,
  settings,
  user,
} from '../../../test/units/engine-fixtures.js';
import { type Capacity, NOTHING_ASSIGNED, type Workload } from '../model/workload.js';

const balanced = (rotationType: 'users' | 'teams' = 'users') =>
  settings({ distributionModel: 'load balanced', rotationType });
const seat = (name: string) => ({ id: `id-${name}`, email: `${name}@acme.test` });
const users = directory(...['ada', 'bob', 'eve', 'dan'].map((name) => user(name)));
const work = (owned: number, capacities: Record<string, number> = {}): Workload => ({
  assigned: NOTHING_ASSIGNED,
  owned,
  capacities: new Map(Object.entries(capacities)),
});
const works = (values: Record<string, Workload>) =>
  new Map(Object.entries(values).map(([name, each]) => [`${name}@acme.test`, each]));
const capacity = (name: string, most: Record<string, number>): Capacity => ({
  name,
  objectType: 'contacts',
  field: 'region',
  values: ['emea'],
  maxByEmail: new Map(Object.entries(most).map(([email, max]) => [`${email}@acme.test`, max])),
});
const decide = (
  values: Record<string, Workload>,
  capacities: Capacity[] = [],
  config: Partial<RouterConfiguration> = { users: [seat('ada'), seat('bob')] },
  given: Parameters<typeof input>[0] = {},
) =>
  routeAndDecide(
    engine.compile(router({ settings: balanced(), ...config }), fields),
    input({ users, record: contact({ region: 'emea' }), workloads: works(values), capacities, ...given }),
  );

describe('load balanced', () => {
  it('gives to the one who owns the fewest', () => {
    const decision = decide({ ada: work(3), bob: work(2) });
    expect(decision).toMatchObject({ user: 'bob@acme.test', reason: 'load_balanced', rotation: { seq: 1 } });
    expect(decision.trace.at(-1)).toEqual({
      step: 'distribution',
      model: 'load balanced',
      among: 'users',
      chosen: 'bob@acme.test',
      rule: 'fewest_owned',
      columns: ['candidate', 'owned', 'last'],
      rows: [
        ['ada@acme.test', 3, 0],
        ['bob@acme.test', 2, 0],
      ],
    });
  });

  it('gives to the one with the lowest part of the maximum in use where all have one', () => {
    const decision = decide({ ada: work(9, { Open: 3 }), bob: work(1, { Open: 1 }) }, [
      capacity('Open', { ada: 10, bob: 2 }),
    ]);
    expect(decision).toMatchObject({ user: 'ada@acme.test' });
    expect(decision.trace.at(-1)).toMatchObject({
      rule: 'lowest_utilization',
      columns: ['candidate', 'owned', 'max', 'last'],
      rows: [
        ['ada@acme.test', 3, 10, 0],
        ['bob@acme.test', 1, 2, 0],
      ],
    });
  });

  it('counts what is owned where one candidate has no maximum, or the record does not count', () => {
    const values = { ada: work(9, { Open: 3 }), bob: work(1, { Open: 1 }) };
    expect(decide(values, [capacity('Open', { ada: 10 })])).toMatchObject({ user: 'bob@acme.test' });
    const apac = { record: contact({ region: 'apac' }) };
    expect(decide(values, [capacity('Open', { ada: 10, bob: 2 })], undefined, apac)).toMatchObject({
      user: 'bob@acme.test',
    });
  });

  it('weighs the fullest of several capacities', () => {
    const capacities = [capacity('Open', { ada: 10, bob: 10 }), capacity('Hot', { ada: 2 })];
    const decision = decide({ ada: work(1, { Open: 0, Hot: 1 }), bob: work(4, { Open: 4 }) }, capacities);
    expect(decision).toMatchObject({ user: 'bob@acme.test' });
    expect(decision.trace.at(-1)).toMatchObject({
      columns: ['candidate', 'capacity', 'owned', 'max', 'last'],
      rows: [
        ['ada@acme.test', 'Hot', 1, 2, 0],
        ['bob@acme.test', 'Open', 4, 10, 0],
      ],
    });
  });

  it('compares exactly, beyond what floating point can tell apart', () => {
    const most = { ada: 9_007_199_254_740_991, bob: 9_007_199_254_740_990 };
    const values = {
      ada: work(0, { Open: 9_007_199_254_740_990 }),
      bob: work(0, { Open: 9_007_199_254_740_989 }),
    };
    expect(decide(values, [capacity('Open', most)])).toMatchObject({ user: 'bob@acme.test' });
  });

  it('breaks ties by the least recent turn, then by the configured order, and leaves credits alone', () => {
    const rotation = (ada: number, bob: number) => ({
      seq: 9,
      ledgers: new Map([
        [
          'users',
          new Map([
            ['id-ada', { credit: 5n, last: ada }],
            ['id-bob', { credit: -5n, last: bob }],
          ]),
        ],
      ]),
    });
    expect(decide({}, [], undefined, { rotation: rotation(0, 0) })).toMatchObject({ user: 'ada@acme.test' });
    const decision = decide({}, [], undefined, { rotation: rotation(8, 7) });
    expect(decision).toMatchObject({ user: 'bob@acme.test' });
    expect(decision.assigned && [...(decision.rotation?.ledgers.get('users') ?? [])]).toEqual([
      ['id-ada', { credit: 5n, last: 8 }],
      ['id-bob', { credit: -5n, last: 10 }],
    ]);
  });

  it('without workloads goes round', () => {
    const [first, second] = [decide({}), decide({})];
    expect(second).toEqual(first);
    expect(first).toMatchObject({ user: 'ada@acme.test' });
  });

  it('does not count the record that is decided on against its owner', () => {
    const record = contact({ contact_owner: 'ada@acme.test' });
    const config = { users: [seat('ada'), seat('bob')], settings: { ...balanced(), overwrite: true } };
    expect(decide({ ada: work(3), bob: work(3) }, [], config, { record })).toMatchObject({
      user: 'ada@acme.test',
    });
  });

  describe('by team', () => {
    const teams = [
      { id: 'a', name: 'A', members: [seat('ada'), seat('bob')] },
      { id: 'b', name: 'B', members: [seat('eve')] },
    ];
    const byTeam = { teams, settings: balanced('teams') };

    it('compares what eligible members own on average, then the members', () => {
      const values = { ada: work(4), bob: work(1), eve: work(3) };
      const decision = decide(values, [], byTeam);
      expect(decision).toMatchObject({ user: 'bob@acme.test', turn: { rotationKey: '', team: 'team:a' } });
      expect(decision.trace.at(-2)).toMatchObject({
        among: 'teams',
        columns: ['candidate', 'owned', 'members', 'last'],
        rows: [
          ['A', 5, 2, 0],
          ['B', 3, 1, 0],
        ],
      });
      const off = directory(user('ada'), user('bob', { available: false }), user('eve'));
      expect(decide(values, [], byTeam, { users: off })).toMatchObject({ user: 'eve@acme.test' });
    });

    it('compares what members own together of what they may own together', () => {
      const capacities = [capacity('Open', { ada: 10, bob: 2, eve: 4 })];
      const values = { ada: work(0, { Open: 3 }), bob: work(0, { Open: 1 }), eve: work(0, { Open: 2 }) };
      const decision = decide(values, capacities, byTeam);
      expect(decision).toMatchObject({ user: 'ada@acme.test' });
      expect(decision.trace.at(-2)).toMatchObject({
        rows: [
          ['A', 4, 12, 0],
          ['B', 2, 4, 0],
        ],
      });
    });
  });
});
