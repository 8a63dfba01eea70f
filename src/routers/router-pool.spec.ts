import { configurationOf, team } from '../../test/units/configuration.js';
import { user } from '../../test/units/engine-fixtures.js';
import { routerPool } from './router-pool.js';

const { directory } = configurationOf({
  users: [user('ada'), user('bob')],
  teams: [team('Sales', 'bob', 'gone', 'ada')],
});

describe('the pool of a router', () => {
  it('is whom it lists, with their shares; who no longer exists is left out [contract 4]', () => {
    const users = [{ userId: 'id-bob', percentage: 40 }, { userId: 'id-gone' }, { userId: 'id-ada' }];
    const teams = [{ teamId: 'id-team-gone' }, { teamId: 'id-team-Sales', percentage: 60 }];
    expect(routerPool({ users, teams }, directory)).toEqual({
      users: [
        { id: 'id-bob', email: 'bob@acme.test', percentage: 40 },
        { id: 'id-ada', email: 'ada@acme.test', percentage: undefined },
      ],
      teams: [
        {
          id: 'id-team-Sales',
          name: 'Sales',
          members: [
            { id: 'id-bob', email: 'bob@acme.test' },
            { id: 'id-ada', email: 'ada@acme.test' },
          ],
          percentage: 60,
        },
      ],
    });
  });
});
