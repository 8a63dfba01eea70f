import type { Condition, RoutingRule } from '../model/router-configuration.js';
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
const FIELDS = ['first_name', 'email', 'lead_score', 'signed_up', 'region'];

/** Five conditions of which only the last fails, so that all of them are evaluated. */
function conditions(index: number): Condition[] {
  return [
    { field: 'first_name', operator: 'contains', value: 'AD' },
    { field: 'lead_score', operator: 'gte', value: index % 50 },
    { field: 'signed_up', operator: 'between', value: ['2026-01-01', `2026-12-${10 + (index % 20)}`] },
    { field: 'region', operator: 'in', value: ['emea', 'apac'] },
    { field: 'email', operator: 'eq', value: `someone${index}@example-company.io` },
  ];
}

function rule(index: number, values: Partial<RoutingRule> = {}): RoutingRule {
  return {
    name: `Rule number ${index} of the company`,
    trigger: { groups: [{ conditions: conditions(index) }] },
    users: [],
    teams: [],
    distributionModel: null,
    rotationType: null,
    ...values,
  };
}

const rules = Array.from({ length: 1000 }, (_, index) => rule(index));
const crowd = Array.from({ length: 50 }, (_, index) =>
  user('x', {
    id: `0198c5d2-7a31-7c3e-9f60-${String(index).padStart(12, '0')}`,
    email: `firstname.lastname-${String(index).padStart(3, '0')}@example-company.io`.slice(0, 42),
  }),
);
const users = new Map(crowd.map((each) => [each.email, each]));
const config = router({
  users: crowd.map(({ id, email }, index) => ({ id, email, percentage: index < 25 ? 1.2345 : 2.7655 })),
  settings: settings({ distributionModel: 'percentage', overwrite: true, accountMatching: true, rules }),
});
const record = contact({
  first_name: 'Ada'.padEnd(60, ' the first'),
  lead_score: '99',
  signed_up: '2026-05-05T05:05:05.005Z',
  region: 'emea',
  email: 'someone999@example-company.io',
});

const trigger = {
  groups: Array.from({ length: 5 }, () => ({
    conditions: [{ field: 'email', operator: 'ends_with', value: '@example-company.io' }],
  })),
};

describe('a router with 1,000 rules of 5 conditions', () => {
  const compiled = engine.compile(config, fields);

  it('routes a record to the first rule that matches', () => {
    expect(engine.route(compiled, record)).toMatchObject({
      rules: { matched: 'Rule number 999 of the company' },
    });
  });

  it('reads every field of the record once', () => {
    const read: string[] = [];
    const get = (field: string) => {
      read.push(field);
      return record.get(field);
    };
    engine.route(compiled, { ...record, get });
    expect(read.sort()).toEqual([...FIELDS].sort());
  });

  it.each([
    ['the last matches', record, 999],
    [
      'none matches',
      contact({
        ...Object.fromEntries(FIELDS.map((name) => [name, record.get(name) ?? ''])),
        email: 'x@y.z',
      }),
      1000,
    ],
  ])('leaves a trace below 8 KB with 50 candidates where %s', (_name, given, passedOver) => {
    const decision = routeAndDecide(compiled, input({ record: given, users }));
    expect(decision.assigned).toBe(true);
    const step = decision.trace.find((each) => each.step === 'rules');
    expect(step).toMatchObject({ passed_over: passedOver });
    expect(step?.first_passed_over).toHaveLength(20);
    expect(Buffer.byteLength(JSON.stringify(decision.trace))).toBeLessThan(LIMIT);
  });

  it('lists fewer rules rather than a larger trace', () => {
    const long = rules.map((each) => ({ ...each, name: `${each.name} ${'ü'.repeat(150)}` }));
    const crowded = { ...config, settings: settings({ overwrite: true, trigger, rules: long }) };
    const decision = routeAndDecide(engine.compile(crowded, fields), input({ record, users }));
    const step = decision.trace.find((each) => each.step === 'rules');
    expect(step).toMatchObject({ passed_over: 999 });
    const listed = step?.first_passed_over?.length ?? 0;
    expect(listed).toBeGreaterThan(0);
    expect(listed).toBeLessThan(20);
    expect(Buffer.byteLength(JSON.stringify(decision.trace))).toBeLessThan(LIMIT);
  });
});
