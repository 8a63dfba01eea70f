import type { PlannedChange } from '../change/configuration-change.js';
import { accountPlan, describePlan } from './plan.js';

const change = (
  action: PlannedChange['action'],
  kind: PlannedChange['object']['kind'],
  values: PlannedChange['values'] = [],
): PlannedChange => ({ action, object: { kind, id: '1', name: `my ${kind}` }, values });

describe('a plan', () => {
  it('has a line for each thing and each value that becomes another, what is archived first [contract 5, contract 6]', () => {
    const plan = accountPlan('acme', [
      change('create', 'user', [{ path: 'name', from: null, to: 'Ada' }]),
      change('update', 'router', [
        { path: 'published', from: false, to: true },
        { path: 'settings.rules[VIP].users', from: null, to: [{ email: 'ada@acme.test' }] },
        { path: 'settings.rules (order)', from: ['A'], to: ['B'] },
      ]),
      change('archive', 'team'),
    ]);
    expect(describePlan([plan, accountPlan('beta', [])])).toEqual([
      'acme: archive team my team',
      'acme: create user my user',
      'acme: update router my router',
      '  published: false -> true',
      '  settings.rules[VIP].users: none -> [{"email":"ada@acme.test"}]',
      '  settings.rules (order): ["A"] -> ["B"]',
      'beta: no changes',
    ]);
    expect(plan.changes.map(({ action, keys }) => [action, keys])).toEqual([
      ['archive', undefined],
      ['create', undefined],
      ['update', ['published', 'settings']],
    ]);
    expect(describePlan([])).toEqual([]);
  });

  it('has a key once, also of a list that is in another order', () => {
    const values = [
      { path: 'options[a].label', from: 'A', to: 'B' },
      { path: 'options (order)', from: ['a', 'b'], to: ['b', 'a'] },
    ];
    expect(accountPlan('acme', [change('update', 'field', values)]).changes[0]?.keys).toEqual(['options']);
  });

  it('cuts values that are long, between characters', () => {
    const values = [{ path: 'name', from: '😀'.repeat(80), to: 'x'.repeat(58) }];
    const [, line] = describePlan([accountPlan('acme', [change('update', 'user', values)])]);
    expect(line).toBe(`  name: "${'😀'.repeat(58)}… -> "${'x'.repeat(58)}"`);
  });
});
