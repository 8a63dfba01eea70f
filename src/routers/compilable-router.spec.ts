import { configurationOf, routerOf, stored, team } from '../../test/units/configuration.js';
import { settings, user } from '../../test/units/engine-fixtures.js';
import { compilableRouter, rulePeople } from './compilable-router.js';

const { directory } = configurationOf({
  users: [user('ada'), user('bob')],
  teams: [team('Sales', 'bob', 'gone')],
});

describe('a stored router', () => {
  it('is compiled with its settings and its pool [contract 4]', () => {
    const router = routerOf('R', ['ada', 'gone'], { published: false, objectType: 'contacts' });
    expect(compilableRouter(router, directory)).toEqual({
      id: 'R',
      objectType: 'contacts',
      published: false,
      settings: settings(),
      users: [{ id: 'id-ada', email: 'ada@acme.test', percentage: undefined }],
      teams: [],
      rules: [],
    });
  });

  it('is compiled without settings as well [contract 4]', () => {
    const draft = routerOf('R', [], { settings: null });
    expect(compilableRouter(draft, directory)).toMatchObject({ settings: null, rules: [] });
  });

  it('leaves out whom a rule names in vain [contract 4]', () => {
    const rules = [
      {
        name: 'VIP',
        trigger: { groups: [] },
        users: [{ email: 'ada@acme.test' }, { email: 'gone@acme.test' }],
        teams: [{ name: 'Sales', percentage: 30 }, { name: 'Gone' }],
        distributionModel: null,
        rotationType: null,
      },
    ];
    expect(compilableRouter(routerOf('R', [], { settings: stored({ rules }) }), directory).rules).toEqual([
      {
        name: 'VIP',
        pool: {
          users: [{ id: 'id-ada', email: 'ada@acme.test', percentage: undefined }],
          teams: [
            {
              id: 'id-team-Sales',
              name: 'Sales',
              members: [{ id: 'id-bob', email: 'bob@acme.test' }],
              percentage: 30,
            },
          ],
        },
      },
    ]);
  });
});

describe('the people whom rules can name', () => {
  it('are users by e-mail, never by id, and teams by name', () => {
    const people = rulePeople(directory);
    expect(people.findUser('ada@acme.test')).toEqual({ id: 'id-ada', email: 'ada@acme.test' });
    expect(people.findUser('id-ada')).toBeUndefined();
    expect(people.findTeam('Sales')).toMatchObject({ id: 'id-team-Sales' });
    expect(people.findTeam('id-team-Sales')).toBeUndefined();
  });
});
