import { team } from '../../test/units/configuration.js';
import { user } from '../../test/units/engine-fixtures.js';
import { Directory } from './directory.js';

const directory = new Directory([user('ada'), user('bob')], [team('Sales', 'ada'), team('Nord')]);
const archivedAt = new Date(0);

describe('a directory', () => {
  it('finds a team by its name, as names are compared [contract 3]', () => {
    expect(directory.findTeam('\u200bSALES ')?.id).toBe('id-team-Sales');
    expect(directory.findTeam('Sale')).toBeUndefined();
  });

  it('keeps the last names of users and teams that are archived, who are none of it [contract 6]', () => {
    const users = [{ ...user('ada', { email: 'eve@acme.test' }), archivedAt }];
    const teams = [
      { ...team('Sales'), name: 'Old', archivedAt },
      { ...team('Nord'), archivedAt: null },
    ];
    const after = directory.with({ users, teams, holidays: [] });
    expect([after.nameOf('id-ada'), after.user('id-ada')]).toEqual(['eve@acme.test', undefined]);
    expect([after.nameOf('id-team-Sales'), after.findTeam('Old')]).toEqual(['Old', undefined]);
    expect([after.nameOf('id-bob'), after.nameOf('id-team-Nord')]).toEqual(['bob@acme.test', 'Nord']);
    expect(after.nameOf('id-gone')).toBeUndefined();
    expect(after.people).not.toBe(directory.people);
  });

  it('knows the id of whom rows name, archived ones and those with another e-mail now included', () => {
    const users = [
      { ...user('ada', { email: 'eve@acme.test', storedAs: 'ada@acme.test' }), archivedAt },
      { ...user('bob', { email: 'rob@acme.test', storedAs: 'bob@acme.test' }), archivedAt: null },
    ];
    const after = directory.with({ users, teams: undefined, holidays: [] });
    const texts = ['ada@acme.test', 'eve@acme.test', 'bob@acme.test', 'rob@acme.test', 'Nord', 'nobody'];
    expect(texts.map((text) => after.idOfStored(text))).toEqual([
      'id-ada',
      undefined,
      'id-bob',
      undefined,
      undefined,
      undefined,
    ]);
    expect(directory.idOfStored('ada@acme.test')).toBe('id-ada');
  });

  it('has those again who are active again [contract 6]', () => {
    const gone = directory.with({ users: [{ ...user('ada'), archivedAt }], teams: undefined, holidays: [] });
    const back = [{ ...user('ada', { email: 'ann@acme.test' }), archivedAt: null }];
    const after = gone.with({ users: back, teams: undefined, holidays: [] });
    expect([after.nameOf('id-ada'), after.user('id-ada')?.email]).toEqual(['ann@acme.test', 'ann@acme.test']);
  });
});
