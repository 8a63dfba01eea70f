import fc from 'fast-check';
import type { Condition, Trigger } from '../model/router-configuration.js';
import { contact, fields } from '../../../test/units/engine-fixtures.js';
import { BUILTIN_OPERATORS } from './operators.js';
import { compileTrigger, evaluateTrigger, RecordValues } from './trigger.js';

const compile = (trigger: Trigger) =>
  compileTrigger(trigger, 'contacts', { fields, operators: BUILTIN_OPERATORS });
const run = (groups: Condition[][], values: Record<string, string> = {}) =>
  evaluateTrigger(
    compile({ groups: groups.map((conditions) => ({ conditions })) }),
    new RecordValues(contact(values)),
  );

const ada = { field: 'first_name', operator: 'eq', value: 'Ada' };
const high = { field: 'lead_score', operator: 'gte', value: 50 };

describe('evaluateTrigger', () => {
  it('matches all without groups and with an empty group', () => {
    expect(run([])).toEqual({ step: 'trigger', matched: true, groups: [] });
    expect(run([[]]).matched).toBe(true);
    expect(run([[ada], []]).matched).toBe(true);
  });

  it('ANDs conditions, ORs groups, and traces every condition with the value it saw', () => {
    expect(run([[ada, high], [high]], { first_name: 'ADA', lead_score: '7' })).toEqual({
      step: 'trigger',
      matched: false,
      groups: [
        [
          { ...ada, saw: 'ADA', held: true },
          { ...high, saw: '7', held: false },
        ],
        [{ ...high, saw: '7', held: false }],
      ],
    });
    expect(run([[ada, high], [high]], { lead_score: '70' }).matched).toBe(true);
    expect(run([[ada, high]], { lead_score: '70' }).matched).toBe(false);
  });

  it('matches exactly when some group holds altogether', () => {
    const condition = fc
      .boolean()
      .map((held) => ({ field: 'first_name', operator: held ? 'is_empty' : 'is_not_empty' }));
    fc.assert(
      fc.property(fc.array(fc.array(condition, { maxLength: 4 }), { maxLength: 4 }), (groups) => {
        const held = groups.map((group) => group.every(({ operator }) => operator === 'is_empty'));
        expect(run(groups).matched).toBe(groups.length === 0 || held.includes(true));
      }),
    );
  });

  it('takes a cleared value for a missing one', () => {
    const { groups } = run([[{ field: 'first_name', operator: 'is_empty' }]], { first_name: '' });
    expect(groups).toEqual([[{ field: 'first_name', operator: 'is_empty', saw: null, held: true }]]);
  });

  it('cuts long values and operands', () => {
    const [[trace] = []] = run([[{ ...ada, value: 'y'.repeat(5000) }]], {
      first_name: 'x'.repeat(5000),
    }).groups;
    expect(trace?.saw).toBe(`${'x'.repeat(199)}…`);
    expect(trace?.value).toHaveLength(200);
    const [[list] = []] = run([
      [{ field: 'first_name', operator: 'in', value: Array(500).fill('a') }],
    ]).groups;
    expect(list?.value).toMatch(/^\["a",.*…$/);
  });

  it('does not split a character when it cuts', () => {
    const [[trace] = []] = run([[ada]], {
      first_name: `${'x'.repeat(198)}\u{1F600}${'x'.repeat(50)}`,
    }).groups;
    expect(trace?.saw).toBe(`${'x'.repeat(198)}…`);
  });

  it('says which condition lost its field or operator, and never holds it', () => {
    const [[field, operator, operand] = []] = run([
      [
        { field: '__proto__', operator: 'is_empty' },
        { field: 'first_name', operator: 'constructor' },
        { field: 'lead_score', operator: 'neq', value: 'ten' },
      ],
    ]).groups;
    expect(field).toMatchObject({ held: false, problem: 'unknown field' });
    expect(operator).toMatchObject({ held: false, problem: 'unknown operator' });
    expect(operand).toMatchObject({ held: false, problem: expect.stringContaining('finite number') });
  });

  it('still compares with a user or option that is gone', () => {
    const gone = { field: 'contact_owner', operator: 'neq', value: 'Eve@acme.test' };
    expect(run([[gone]], { contact_owner: 'ada@acme.test' }).matched).toBe(true);
    expect(run([[gone]], { contact_owner: 'eve@acme.test' }).matched).toBe(false);
    expect(run([[{ field: 'region', operator: 'eq', value: 'mars' }]], { region: 'mars' }).matched).toBe(
      true,
    );
  });
});
