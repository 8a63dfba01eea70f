import { configurationOf, team } from '../../test/units/configuration.js';
import { user } from '../../test/units/engine-fixtures.js';
import { namedPeople } from './named-people.js';

const { directory } = configurationOf({
  users: [user('ada'), user('bob'), user('eve')],
  teams: [team('Nord', 'ada'), team('Sued', 'bob'), team('__proto__', 'eve')],
});

describe('whom settings name', () => {
  it('are users in any case and teams by their very name, with their ids [contract 6]', () => {
    const conditions = [{ field: 'contact_owner', operator: 'in', value: ['BOB@acme.test ', 'x@acme.test'] }];
    const settings = {
      default_user: 'ada@acme.test',
      rules: [{ teams: [{ name: 'Nord' }, { name: 'sued' }], trigger: { groups: [{ conditions }] } }],
      steps: null,
      overwrite: true,
    };
    expect(namedPeople(settings, directory)).toEqual({
      users: { 'ada@acme.test': 'id-ada', 'bob@acme.test': 'id-bob' },
      teams: { Nord: 'id-team-Nord' },
    });
  });

  it('are teams of any name, also in JSON', () => {
    const { teams } = namedPeople({ rules: [{ teams: [{ name: '__proto__' }] }] }, directory);
    expect(JSON.stringify(teams)).toBe('{"__proto__":"id-team-__proto__"}');
  });

  it('are none without settings', () => {
    expect(namedPeople(null, directory)).toEqual({ users: {}, teams: {} });
  });
});
