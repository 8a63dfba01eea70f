import { Directory } from '../../../directory/directory.js';
import type { DirectoryRepository, TeamDto } from '../../../directory/index.js';
import { user } from '../../../engine/testing/fixtures.js';
import { done, newRun, refused, TX } from '../../testing/apply.js';
import { team } from '../../../configuration/testing/configuration.js';
import type { ConfigurationChange } from '../../change/configuration-change.js';
import type { RouterSettings } from '../../change/router-settings.js';
import type { TeamUses } from '../../teams/team-uses.js';
import { TeamsEditor } from '../../teams/teams.editor.js';
import { TeamsSection } from './teams.section.js';

/** Ada, Bob, and the team Sales of both: notes what is written. */
class FakeTeams {
  readonly written: unknown[] = [];

  findTeams(tx: unknown, _: unknown, names: string[]): Promise<object[]> {
    expect(tx).toBe(TX);
    const stored = [
      { ...team('Gone', 'ada'), archivedAt: new Date(0) },
      { ...team('Sales', 'ada', 'bob'), archivedAt: null },
      { ...team('Sales'), id: 'id-archived', archivedAt: new Date(0) },
    ];
    return Promise.resolve(stored.filter(({ name }) => names.includes(name)));
  }
  loadSome(): Promise<Directory> {
    return Promise.resolve(new Directory([user('ada'), user('bob')], []));
  }
  insertTeams(...[, , teams]: Parameters<DirectoryRepository['insertTeams']>): Promise<void> {
    for (const { name, memberIds: members } of teams) this.written.push(['insert', name, members]);
    return Promise.resolve();
  }
  updateTeam(
    ...[, , { id, memberIds: members, archivedAt }]: Parameters<DirectoryRepository['updateTeam']>
  ): Promise<void> {
    expect(archivedAt).toBeNull();
    this.written.push(['update', id, members]);
    return Promise.resolve();
  }
}

let teams: FakeTeams;
beforeEach(() => (teams = new FakeTeams()));

const apply = async (...dtos: TeamDto[]): Promise<ConfigurationChange> => {
  const run = newRun();
  const directory = teams as unknown as DirectoryRepository;
  const section = new TeamsSection(new TeamsEditor(directory, {} as RouterSettings, {} as TeamUses));
  await section.apply(run, { slug: 'acme', ...(dtos.length === 0 ? {} : { teams: dtos }) });
  return run;
};
const members = (...names: string[]): string[] => names.map((name) => `${name}@acme.test`);

describe('the teams of a file', () => {
  it('are created with their members, who may be none [contract 5]', async () => {
    const run = await apply({ name: 'Nord', members: members('bob') }, { name: 'Empty' });
    expect(done(run)).toEqual(['create team Nord', 'create team Empty']);
    expect(teams.written).toEqual([
      ['insert', 'Nord', ['id-bob']],
      ['insert', 'Empty', []],
    ]);
  });

  it.each([
    ['other members', members('ada')],
    ['no members', []],
    ['the members in another order', members('bob', 'ada')],
  ])('are changed to %s [contract 5]', async (_, wanted) => {
    expect(done(await apply({ name: 'Sales', members: wanted }))).toEqual(['update team Sales (members)']);
    const ids = wanted.map((email) => `id-${email.replace('@acme.test', '')}`);
    expect(teams.written).toEqual([['update', 'id-team-Sales', ids]]);
  });

  it('become active again, as they are, where they were archived [contract 6]', async () => {
    expect(done(await apply({ name: 'Gone' }))).toEqual(['update team Gone (archived)']);
    expect(teams.written).toEqual([['update', 'id-team-Gone', ['id-ada']]]);
  });

  it.each([
    ['already have their members', [{ name: 'Sales', members: members('ada', 'bob') }]],
    ['are mentioned without members', [{ name: 'Sales' }]],
    ['are not mentioned', []],
  ])('stay as they are where they %s [contract 5]', async (_, dtos) => {
    expect((await apply(...dtos)).changes).toEqual([]);
    expect(teams.written).toEqual([]);
  });

  it('are refused with every member who is no user, and the others after them still looked at [contract 5]', async () => {
    const run = await apply(
      { name: 'Sales', members: members('gone', 'ada', 'lost') },
      { name: 'Nord', members: members('ada') },
      { name: 'Sued', members: members('gone') },
    );
    expect(refused(run)).toEqual([
      'teams[0].members[0]: gone@acme.test is not a user of the account',
      'teams[0].members[2]: lost@acme.test is not a user of the account',
      'teams[2].members[0]: gone@acme.test is not a user of the account',
    ]);
    expect(teams.written).toEqual([['insert', 'Nord', ['id-ada']]]);
  });
});
