import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { explain, peopleIn, sentence, type TraceStep } from './explain';
import { english } from './testing';

const OUT = {
  step: 'eligibility',
  in: ['ada@acme.test', 'grace@acme.test'],
  out: [
    { reasons: ['out_of_office'], users: ['bob@acme.test'] },
    { reasons: ['day_limit_reached'], users: ['cem@acme.test'], saw: ['40/40'] },
  ],
} satisfies TraceStep;
const TURN: TraceStep = {
  step: 'distribution',
  model: 'round robin',
  among: 'users',
  chosen: 'ada@acme.test',
  rule: 'most_owed',
  columns: ['candidate', 'share', 'credit', 'credit_after', 'last'],
  rows: [
    ['ada@acme.test', 0.5, 0.17, -0.33, 11],
    ['grace@acme.test', 0.5, -0.17, 0.33, 12],
  ],
};
const decided = { user: 'ada@acme.test', reason: 'round_robin', pool: 'Enterprise' };

describe('the sentence of an assignment', () => {
  it('says who got it, why, and who was out with the numbers', () => {
    expect(sentence({ ...decided, trace: [OUT, TURN] }, english)).toBe(
      'ada got it by turn in Enterprise: owed most (credit 0.67). ' +
        'Out: bob (on leave) and cem (at the limit of a day, 40/40).',
    );
  });

  it('does not call out whom it weighed although they were, because hours do not count', () => {
    const away = { reasons: ['outside_working_hours'], users: ['ada@acme.test', 'grace@acme.test'] };
    const eligibility: TraceStep = { step: 'eligibility', in: [], out: [away, ...OUT.out.slice(0, 1)] };
    const ignored: TraceStep = { step: 'ignore_working_hours', candidates: 2 };
    expect(sentence({ ...decided, trace: [eligibility, ignored, TURN] }, english)).toMatch(
      /credit 0\.67\)\. Out: bob \(on leave\)\.$/,
    );
  });

  it('says why nobody got it, and who got it without a turn', () => {
    const nobody = { user: null, reason: 'no_users_available', pool: 'Enterprise', trace: null };
    expect(sentence(nobody, english)).toBe('Nobody got it. Nobody is available.');
    const kept = { ...decided, reason: 'already_owner', trace: [] };
    expect(sentence(kept, english)).toBe('ada was chosen, and had it already.');
  });

  it('names three who were out and counts the others, and says the word of an extension as it is', () => {
    const users = ['a@x', 'b@x', 'c@x', 'd@x', 'e@x'];
    const trace: TraceStep[] = [{ step: 'eligibility', in: [], out: [{ reasons: ['lacks_skill'], users }] }];
    expect(sentence({ user: null, reason: 'no_users_available', pool: 'P', trace }, english)).toContain(
      'a (lacks skill), b (lacks skill), c (lacks skill), and 2 others',
    );
  });
});

it('the lines of a trace say what it said, and name everybody whom it weighed', () => {
  const lines = explain([OUT, TURN], english);
  expect(lines.map(({ ok, text }) => [ok, text])).toEqual([
    [true, ['2 people are available.']],
    [true, ['ada is chosen: owed most.']],
  ]);
  expect(lines[0]?.out).toContainEqual({ user: 'cem@acme.test', why: 'at the limit of a day, 40/40' });
  expect(peopleIn([OUT, TURN])).toEqual([
    'bob@acme.test',
    'cem@acme.test',
    'ada@acme.test',
    'grace@acme.test',
  ]);
});

it('every trace in the examples of the OpenAPI document has lines in words [contract 6]', () => {
  const document = readFileSync(join(__dirname, '../../../docs/openapi.json'), 'utf8');
  const traces: TraceStep[][] = [];
  JSON.parse(document, (key, value: unknown) => {
    if (key === 'trace' && Array.isArray(value)) traces.push(value as TraceStep[]);
    return value;
  });
  expect(traces.length).toBeGreaterThan(1);
  for (const line of traces.flatMap((trace) => explain(trace, english))) {
    expect(line.text.join(' ')).toMatch(/^[^{}]+[.]$/);
  }
});
