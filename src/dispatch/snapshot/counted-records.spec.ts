import { capacity, configurationOf, routerOf, stored } from '../../../test/units/configuration.js';
import { countedRecords } from './counted-records.js';

const of = (objectType: string, ownerField: string, field?: string): object => ({
  objectType,
  ownerField,
  ...(field === undefined ? {} : { having: { field, values: ['lead'] } }),
});

describe('what an account lets count', () => {
  it('are records by the owner field of each router, and in each capacity of its type [contract 4]', () => {
    const routers = [
      routerOf('R', ['ada']),
      routerOf('Again', ['bob']),
      routerOf('Partner', ['ada'], { settings: stored({ ownerField: 'partner' }) }),
      routerOf('Draft', [], { objectType: 'deals', settings: null }),
    ];
    const capacities = [capacity('Leads'), capacity('Cities', { field: 'city' }), capacity('Deals', { objectType: 'deals', field: 'stage' })]; // prettier-ignore
    expect(countedRecords(configurationOf({ routers, capacities }))).toEqual([
      of('contacts', 'contact_owner'),
      of('contacts', 'contact_owner', 'lifecycle_stage'),
      of('contacts', 'contact_owner', 'city'),
      of('contacts', 'partner'),
      of('contacts', 'partner', 'lifecycle_stage'),
      of('contacts', 'partner', 'city'),
      of('deals', 'deal_owner'),
      of('deals', 'deal_owner', 'stage'),
    ]);
  });

  it('is nothing without routers', () => {
    expect(countedRecords(configurationOf({ capacities: [capacity('Leads')] }))).toEqual([]);
  });
});
