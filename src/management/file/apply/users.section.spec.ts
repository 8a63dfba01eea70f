import type { DirectoryRepository, UserDto } from '../../../directory/index.js';
import { user } from '../../../engine/testing/fixtures.js';
import { done, newRun, TX } from '../../testing/apply.js';
import type { UserReferences } from '../../users/user-references.js';
import { UsersEditor } from '../../users/users.editor.js';
import { UsersSection } from './users.section.js';

/** What is stored of ada, but for her e-mail. */
const { email: _, ...ADA } = user('ada', { name: 'Ada' });

/** Users by e-mail, archived or not: notes what is written. */
class FakeUsers {
  readonly written: unknown[] = [];
  archivedAt: Date | null = null;
  /** E-mails by which rows name others. */
  formerly: string[] = [];

  findUsers(tx: unknown, { accountId }: { accountId: string }, emails: string[]): Promise<unknown> {
    expect([tx, accountId]).toEqual([TX, 'acme']);
    const ada = { ...user('ada', { name: 'Ada' }), archivedAt: this.archivedAt };
    return Promise.resolve(emails.includes(ada.email) ? [ada] : []);
  }
  findStoredNames(): Promise<ReadonlySet<string>> {
    return Promise.resolve(new Set(this.formerly));
  }
  insertUsers(...[, , users]: Parameters<DirectoryRepository['insertUsers']>): Promise<void> {
    for (const { email, id: _, ...values } of users) this.written.push(['insert', email, values]);
    return Promise.resolve();
  }
  updateUsers(...[tx, users]: Parameters<DirectoryRepository['updateUsers']>): Promise<void> {
    expect(tx).toBe(TX);
    this.written.push(...users.map(({ email, ...values }) => ['update', email, values]));
    return Promise.resolve();
  }
}

/** A file changes no e-mail and archives nobody. */
const references = {} as UserReferences;

let users: FakeUsers;
beforeEach(() => (users = new FakeUsers()));

const sectionOf = (fake: FakeUsers): UsersSection => {
  const directory = fake as unknown as DirectoryRepository;
  return new UsersSection(directory, new UsersEditor(directory, references));
};

const apply = async (...dtos: UserDto[]): Promise<string[]> => {
  const run = newRun();
  await sectionOf(users).apply(run, { slug: 'acme', users: dtos });
  return done(run);
};

describe('the users of a file', () => {
  it('are created where they are new, with what the file mentions [contract 5]', async () => {
    const hours = [{ days: ['mon' as const], start: '09:00', end: '17:00' }];
    const dto = { email: 'eve@acme.test', working_hours: hours, out_of_office: [], timezone: 'UTC' };
    expect(await apply(dto)).toEqual(['create user eve@acme.test']);
    const values = { archivedAt: null, workingHours: hours, outOfOffice: [], timezone: 'UTC' };
    expect(users.written).toEqual([['insert', 'eve@acme.test', values]]);
  });

  it('are changed where they differ, and the others after them still looked at [contract 5]', async () => {
    const same = { email: 'ada@acme.test', name: 'Ada', available: true, holidays: [], limits: null };
    const other = { ...same, name: null, limits: { day: 5 } };
    expect(await apply(same, other, { email: 'eve@acme.test' })).toEqual([
      'update user ada@acme.test (name,limits)',
      'create user eve@acme.test',
    ]);
    expect(users.written).toEqual([
      ['insert', 'eve@acme.test', { archivedAt: null }],
      ['update', 'ada@acme.test', { ...ADA, archivedAt: null, name: null, limits: { day: 5 } }],
    ]);
  }); // prettier-ignore

  it('are active again where they were archived [contract 5]', async () => {
    users.archivedAt = new Date(0);
    expect(await apply({ email: 'ada@acme.test' })).toEqual(['update user ada@acme.test (archived)']);
    expect(users.written).toEqual([['update', 'ada@acme.test', { ...ADA, archivedAt: null }]]);
  });

  it('get another name in rows where somebody else had their e-mail before [contract 6]', async () => {
    users.formerly = ['eve@acme.test'];
    expect(await apply({ email: 'eve@acme.test' })).toEqual(['create user eve@acme.test']);
    expect(users.written).toEqual([
      ['insert', 'eve@acme.test', { archivedAt: null, storedAs: expect.stringMatching(/^[0-9a-f-]{36}$/) }],
    ]);
  });

  it('may be none', async () => {
    const run = newRun();
    await sectionOf(users).apply(run, { slug: 'acme' });
    expect(run.changes).toEqual([]);
  });
});
