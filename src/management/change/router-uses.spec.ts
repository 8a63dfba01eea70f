import { conditionsOf, routerParts, teamsOf } from './router-uses.js';

const on = (field: string) => ({ groups: [{ conditions: [{ field, operator: 'eq', value: 'x' }] }] });

describe('the parts of the settings of a router', () => {
  it('are the settings, the rules, and the steps of each, with their teams and conditions [contract 6]', () => {
    const settings = {
      trigger: on('city'),
      steps: [{ teams: [{ teamId: 'First' }] }],
      rules: [
        { name: 'VIP', trigger: on('state'), teams: [{ teamId: 'Sales' }, { teamId: 'Nord' }] },
        { name: 'Rest', steps: [{ users: [] }, { teams: [{ teamId: 'Last' }] }] },
      ],
    };
    const found = routerParts(settings).map((part) => [
      part.name,
      teamsOf(part),
      conditionsOf(part).map(({ field }) => field),
    ]);
    expect(found).toEqual([
      ['', [], ['city']],
      ['step 1', ['First'], []],
      ['rule VIP', ['Sales', 'Nord'], ['state']],
      ['rule Rest', [], []],
      ['rule Rest step 1', [], []],
      ['rule Rest step 2', ['Last'], []],
    ]);
  });

  it('are none where nothing is set', () => {
    expect(routerParts(null)).toEqual([]);
  });
});
