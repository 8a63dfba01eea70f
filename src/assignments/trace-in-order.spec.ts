import type { Trace } from '../engine/index.js';
import { traceInOrder } from './trace-in-order.js';

/** One step of each kind, with all that it can have, as a decision gives it. */
const STEPS: Trace = [
  { step: 'router', published: true, settings: false },
  {
    step: 'trigger',
    matched: false,
    groups: [
      [
        {
          field: 'country',
          operator: 'in',
          value: ['US', 'GB'],
          saw: null,
          held: false,
          problem: 'No such field',
        },
      ],
    ],
  },
  {
    step: 'rules',
    matched: 'Enterprise',
    groups: [],
    passed_over: 1,
    first_passed_over: [['Partners', 'lead_source eq partner']],
    saw: [['lead_source', 'event']],
    refuses: true,
    otherwise: 'nobody',
  },
  {
    step: 'overwrite',
    field: 'contact_owner',
    owner: 'ada@acme.test',
    allowed: true,
    because: 'owner_unavailable',
    unavailable: ['out_of_office'],
  },
  {
    step: 'account_matching',
    outcome: 'owner_not_eligible',
    host: 'example.com',
    company_id: '1',
    owner: 'ada@acme.test',
    reasons: ['switched_off'],
  },
  {
    step: 'eligibility',
    team: 'Sales',
    in: [],
    out: [{ reasons: ['day_limit_reached'], users: ['ada@acme.test'], saw: ['4/4'] }],
  },
  { step: 'ignore_working_hours', candidates: 2 },
  {
    step: 'distribution',
    model: 'percentage',
    among: 'users',
    chosen: 'ada@acme.test',
    rule: 'only_one',
    columns: ['candidate', 'share'],
    rows: [['ada@acme.test', 1]],
    without_share: ['bob@acme.test'],
  },
  {
    step: 'default_user',
    user: 'ada@acme.test',
    outcome: 'not_available',
    reasons: ['switched_off'],
    saw: '4/4',
  },
  { step: 'already_owner', user: 'ada@acme.test', chosen_by: 'round_robin' },
];

/** Orders keys as PostgreSQL does: by length, then by bytes. */
function stored(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(stored);
  if (typeof part !== 'object' || part === null) return part;
  const entries = Object.entries(part).map(([key, value]): [string, unknown] => [key, stored(value)]);
  const compare = (one: string, other: string): number => one.length - other.length || (one < other ? -1 : 1);
  return Object.fromEntries(entries.sort(([one], [other]) => compare(one, other)));
}

it.each(STEPS)('the keys of a step are in the order of the decision: %j', (step) => {
  expect(JSON.stringify(traceInOrder(stored([step])))).toBe(JSON.stringify([step]));
});

it('operands stay as they are, and keys of others come last', () => {
  const condition = { value: { step: 1, other: 2, in: 3 }, other: 1, field: 'x' };
  expect(JSON.stringify(traceInOrder(condition))).toBe(
    '{"field":"x","value":{"step":1,"other":2,"in":3},"other":1}',
  );
});
