import { configurationOf, routerOf, stored } from '../../../test/units/configuration.js';
import { ownerFieldOf, returningRouters } from './returning-routers.js';

describe('the routers that return turns', () => {
  it('are found by object type and owner field, with their minutes [contract 4]', () => {
    const returning = (minutes: number, values = {}) => ({
      settings: stored({ reimburseWithinMinutes: minutes, ...values }),
    });
    const routers = [
      routerOf('A', [], returning(10)),
      routerOf('B', [], returning(5, { ownerField: 'partner' })),
      routerOf('C', [], returning(1)),
      routerOf('D', [], { objectType: 'deals', settings: { reimburse_within_minutes: 2 } }),
      routerOf('off', []),
      routerOf('none', [], { settings: null }),
    ];
    const found = returningRouters(configurationOf({ routers }));
    expect([...found.keys()]).toEqual(['contacts', 'deals']);
    expect([...found.get('contacts')!]).toEqual([
      ['contact_owner', new Map([['A', 10], ['C', 1]])],
      ['partner', new Map([['B', 5]])],
    ]); // prettier-ignore
    expect([...found.get('deals')!]).toEqual([['deal_owner', new Map([['D', 2]])]]);
  });

  it('set the owner field of their type unless they name another', () => {
    expect(ownerFieldOf('deals', null)).toBe('deal_owner');
    expect(ownerFieldOf('deals', { owner_field: 'partner' })).toBe('partner');
  });
});
