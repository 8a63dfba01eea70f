import { assignedInstants } from '../../../test/units/assigned-instants.js';
import type { Trace } from '../model/trace.js';
import { fitTrace } from './route-record.js';
import {
  contact,
  engine,
  fields,
  input,
  routeAndDecide,
  router,
  settings,
  user,
} from '../../../test/units/engine-fixtures.js';

const LIMIT = 8 * 1024;

/** Fifty users with addresses of 40 characters. */
const crowd = Array.from({ length: 50 }, (_, index) =>
  user('x', {
    id: `0198c5d2-7a31-7c3e-9f60-${String(index).padStart(12, '0')}`,
    email: `firstname.lastname-${String(index).padStart(3, '0')}@example-company.io`.slice(0, 42),
  }),
);
const trigger = {
  groups: [
    {
      conditions: [
        { field: 'email', operator: 'ends_with', value: '@example-company.io' },
        { field: 'lead_score', operator: 'between', value: [10, 1000] },
        { field: 'region', operator: 'in', value: ['emea', 'apac'] },
      ],
    },
    { conditions: [{ field: 'first_name', operator: 'is_empty' }] },
  ],
};
const record = contact({
  email: 'someone@example-company.io',
  lead_score: '99',
  region: 'emea',
  first_name: 'x'.repeat(10_000),
});

describe('a trace of 50 candidates', () => {
  const state = (names: readonly string[]) => ({
    seq: 1_234_567,
    ledgers: new Map([
      [
        'users',
        new Map(
          names.map((id, index) => [
            id,
            { credit: BigInt(index % 2 ? 7 : -7) * 10n ** 42n, last: 1_234_000 + index },
          ]),
        ),
      ],
    ]),
  });
  const rotation = state(crowd.map(({ id }) => id));
  const percentages = crowd.map(({ id, email }, index) => ({
    id,
    email,
    percentage: index < 25 ? 1.2345 : 2.7655,
  }));
  const users = new Map(crowd.map((each) => [each.email, each]));

  it.each([
    ['round robin', 'users'],
    ['percentage', 'users'],
    ['round robin', 'teams'],
    ['percentage', 'teams'],
  ] as const)('stays below 8 KB with everyone eligible: %s by %s', (distributionModel, rotationType) => {
    const config = router({
      users: percentages,
      settings: settings({
        distributionModel,
        rotationType,
        trigger,
        overwrite: true,
        accountMatching: true,
      }),
    });
    const decision = routeAndDecide(engine.compile(config, fields), input({ record, users, rotation }));
    expect(decision.assigned).toBe(true);
    expect(Buffer.byteLength(JSON.stringify(decision.trace))).toBeLessThan(LIMIT);
  });

  it('stays below 8 KB in ten teams', () => {
    const teams = Array.from({ length: 10 }, (_, index) => ({
      id: `team-${index}`,
      name: `Team number ${index} of the company`,
      members: percentages.slice(index * 5, index * 5 + 5),
    }));
    const config = router({ teams, settings: settings({ rotationType: 'teams', trigger }) });
    const decision = routeAndDecide(engine.compile(config, fields), input({ record, users, rotation }));
    expect(decision.trace.filter(({ step }) => step === 'distribution')).toHaveLength(2);
    expect(Buffer.byteLength(JSON.stringify(decision.trace))).toBeLessThan(LIMIT);
  });

  it('stays below 8 KB with everyone out for every reason there is', () => {
    const out = new Map(
      crowd.map((each) => [
        each.email,
        {
          ...each,
          available: false,
          workingHours: [],
          outOfOffice: [{ from: '2026-01-01', to: '2027-01-01' }],
        },
      ]),
    );
    const config = router({ users: percentages, settings: settings({ trigger, ignoreWorkingHours: true }) });
    const decision = routeAndDecide(engine.compile(config, fields), input({ record, users: out }));
    expect(decision).toMatchObject({ assigned: false, reason: 'no_users_available' });
    expect(Buffer.byteLength(JSON.stringify(decision.trace))).toBeLessThan(LIMIT);
  });

  it('stays below 8 KB where working hours are ignored for everyone', () => {
    const out = new Map(crowd.map((each) => [each.email, { ...each, workingHours: [] }]));
    const chosen = settings({ trigger, ignoreWorkingHours: true });
    const compiled = engine.compile(router({ users: percentages, settings: chosen }), fields);
    const decision = routeAndDecide(compiled, input({ record, users: out, rotation }));
    expect(decision.assigned).toBe(true);
    expect(Buffer.byteLength(JSON.stringify(decision.trace))).toBeLessThan(LIMIT);
  });

  describe('with limits and capacities', () => {
    const limits = { hour: 0, day: 0, week: 0, month: 0 };
    const capacities = ['Open deals of the first quarter', 'Open deals of the second'].map((name, place) => ({
      name,
      objectType: 'contacts' as const,
      field: 'region',
      values: ['emea'],
      maxByEmail: new Map(crowd.filter((_, index) => index % 2 === place).map(({ email }) => [email, 1000])),
    }));
    const workloads = (count: number) =>
      new Map(
        crowd.map(({ email }) => [
          email,
          {
            assigned: assignedInstants({ hour: count, day: count, week: count, month: count }),
            owned: count,
            capacities: new Map(capacities.map(({ name }) => [name, count])),
          },
        ]),
      );
    const run = (distributionModel: string, count: number, people = users) =>
      routeAndDecide(
        engine.compile(
          router({ users: percentages, settings: settings({ distributionModel, trigger }) }),
          fields,
        ),
        input({ record, users: people, rotation, capacities, workloads: workloads(count) }),
      );

    it('stays below 8 KB with everyone full in every way', () => {
      const full = new Map(crowd.map((each) => [each.email, { ...each, limits }]));
      const decision = run('round robin', 1234, full);
      expect(decision).toMatchObject({ reason: 'assignment_limit_reached' });
      expect(Buffer.byteLength(JSON.stringify(decision.trace))).toBeLessThan(LIMIT);
    });

    it('stays below 8 KB with loads compared', () => {
      const decision = run('load balanced', 999);
      expect(decision.trace.at(-1)).toMatchObject({ rule: 'lowest_utilization' });
      expect(Buffer.byteLength(JSON.stringify(decision.trace))).toBeLessThan(LIMIT);
    });
  });

  it('is JSON as it stands', () => {
    const config = router({ users: percentages, settings: settings({ trigger }) });
    const { trace } = routeAndDecide(engine.compile(config, fields), input({ record, users, rotation }));
    expect(JSON.parse(JSON.stringify(trace))).toEqual(trace);
  });
});

describe('a trace that lists the rules passed over', () => {
  const size = (trace: Trace) => Buffer.byteLength(JSON.stringify(trace));
  const listing = (length: number): Trace => [
    { step: 'rules', matched: null, passed_over: 1, first_passed_over: [['A', 'x'.repeat(length)]] },
  ];
  /** A trace of so many bytes. */
  const ofSize = (bytes: number) => listing(bytes - size(listing(0)));

  it('is shortened from 8 KB on, and stays as it is with a byte less [contract 6]', () => {
    const [below, at] = [ofSize(LIMIT - 1), ofSize(LIMIT)];
    expect([size(below), size(at)]).toEqual([LIMIT - 1, LIMIT]);
    expect(fitTrace(below)).toBe(below);
    expect(fitTrace(at)).toEqual([{ step: 'rules', matched: null, passed_over: 1 }]);
  });
});
