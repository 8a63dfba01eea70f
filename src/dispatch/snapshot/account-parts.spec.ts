import { capacity, configurationOf, routerOf, stored, team } from '../../../test/units/configuration.js';
import { user } from '../../../test/units/engine-fixtures.js';
import { ownerFieldOf } from '../../routers/index.js';
import { countedRecords, resolveCapacities, returningRouters } from './router-snapshots.js';

describe('the capacities of an account', () => {
  it('cap users and the members of teams by e-mail, by the lowest of several; who is gone is left out [contract 4]', () => {
    const configuration = configurationOf({
      users: [user('ada'), user('bob'), user('eve')],
      teams: [team('Sales', 'ada', 'bob', 'gone'), team('Night', 'bob')],
      capacities: [
        capacity('Leads', {
          users: [
            { userId: 'id-ada', max: 9 },
            { userId: 'id-gone', max: 1 },
          ],
          teams: [
            { teamId: 'id-team-Sales', max: 3 },
            { teamId: 'id-team-Night', max: 2 },
            { teamId: 'id-team-gone', max: 1 },
          ],
        }),
        capacity('Deals', { objectType: 'deals', field: 'deal_stage', values: ['open'] }),
      ],
    });
    expect(resolveCapacities(configuration)).toEqual([
      {
        name: 'Leads',
        objectType: 'contacts',
        field: 'lifecycle_stage',
        values: ['lead'],
        maxByEmail: new Map([
          ['ada@acme.test', 9],
          ['bob@acme.test', 2],
        ]),
      },
      { name: 'Deals', objectType: 'deals', field: 'deal_stage', values: ['open'], maxByEmail: new Map() },
    ]);
  });
});

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
