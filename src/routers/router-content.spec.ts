import { configurationOf, routerOf, stored, team } from '../../test/units/configuration.js';
import { settings, user } from '../../test/units/engine-fixtures.js';
import { compilableRouter, routerPool } from './router-content.js';

const { directory } = configurationOf({
  users: [user('ada'), user('bob')],
  teams: [team('Sales', 'bob', 'gone', 'ada')],
});
const SALES = {
  id: 'id-team-Sales',
  name: 'Sales',
  members: [
    { id: 'id-bob', email: 'bob@acme.test' },
    { id: 'id-ada', email: 'ada@acme.test' },
  ],
};

describe('the pool of a router', () => {
  it('is whom it lists, with their shares; who no longer exists is left out [contract 4]', () => {
    const users = [{ userId: 'id-bob', percentage: 40 }, { userId: 'id-gone' }, { userId: 'id-ada' }];
    const teams = [{ teamId: 'id-team-gone' }, { teamId: 'id-team-Sales', percentage: 60 }];
    expect(routerPool({ users, teams }, directory)).toEqual({
      users: [
        { id: 'id-bob', email: 'bob@acme.test', percentage: 40 },
        { id: 'id-ada', email: 'ada@acme.test', percentage: undefined },
      ],
      teams: [{ ...SALES, percentage: 60 }],
    });
  });
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
    });
  });

  it('is compiled without settings as well [contract 4]', () => {
    const draft = routerOf('R', [], { settings: null });
    expect(compilableRouter(draft, directory)).toMatchObject({ settings: null });
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
    const compilable = compilableRouter(routerOf('R', [], { settings: stored({ rules }) }), directory);
    expect(compilable.settings?.rules).toMatchObject([
      {
        name: 'VIP',
        users: [{ id: 'id-ada', email: 'ada@acme.test', percentage: undefined }],
        teams: [{ ...SALES, percentage: 30 }],
      },
    ]);
  });

  it('has steps whose pools are found as those of rules, and are empty where all are gone [contract 8.1]', () => {
    const steps = [{ users: [{ email: 'ada@acme.test' }], teams: [{ name: 'Sales' }] }];
    const gone = [
      { users: [{ email: 'gone@acme.test' }], teams: [] },
      { users: [], teams: [] },
    ];
    const trigger = { groups: [] };
    const rules = [{ name: 'VIP', trigger, users: [], teams: [], steps: gone }];
    const router = routerOf('R', [], { settings: stored({ steps, rules }) });
    const { settings } = compilableRouter(router, directory);
    const pool = { users: [{ id: 'id-ada', email: 'ada@acme.test' }], teams: [SALES] };
    expect(settings?.steps).toMatchObject([pool]);
    expect(settings?.rules[0]?.steps).toEqual([
      { users: [], teams: [], listsNobody: true },
      { users: [], teams: [] },
    ]);
  });
});
