import { describePlan } from './plan.js';

describe('a plan', () => {
  it('is a line for each change, and one for an account without any [contract 5]', () => {
    expect(
      describePlan([
        {
          account: 'acme',
          changes: [
            { action: 'create', kind: 'user', name: 'ada@acme.test', changes: [] },
            {
              action: 'update',
              kind: 'router',
              name: 'Inbound',
              keys: ['published', 'settings'],
              changes: [],
            },
          ],
        },
        { account: 'beta', changes: [] },
      ]),
    ).toEqual([
      'acme: create user ada@acme.test',
      'acme: update router Inbound (published, settings)',
      'beta: no changes',
    ]);
    expect(describePlan([])).toEqual([]);
  });
});
