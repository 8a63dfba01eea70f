import { capacity, configurationOf, team } from '../../../test/units/configuration.js';
import { user } from '../../../test/units/engine-fixtures.js';
import { resolveCapacities } from './resolve-capacities.js';

describe('the capacities of an account', () => {
  it('cap users and the members of teams by e-mail; who is gone is left out [contract 4]', () => {
    const configuration = configurationOf({
      users: [user('ada'), user('bob'), user('eve')],
      teams: [team('Sales', 'ada', 'bob', 'gone')],
      capacities: [
        capacity('Leads', {
          users: [
            { userId: 'id-ada', max: 9 },
            { userId: 'id-gone', max: 1 },
          ],
          teams: [
            { teamId: 'id-team-Sales', max: 3 },
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
          ['bob@acme.test', 3],
        ]),
      },
      { name: 'Deals', objectType: 'deals', field: 'deal_stage', values: ['open'], maxByEmail: new Map() },
    ]);
  });
});
