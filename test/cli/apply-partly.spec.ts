// A service of its own: it has all accounts, and a trigger.
import { createTrigger } from '../support/database/created-trigger.js';
import { HeldLocks } from '../support/database/held-locks.js';
import { sql } from '../support/database/stored-records.js';
import { Programs } from '../support/processes/program.js';
import { TestService } from '../support/test-service.js';

const FILE = `accounts:
  - { slug: first, users: [{ email: ada@first.test }] }
  - slug: second
    teams: [{ name: Sales, members: [ada@second.test] }]
  - { slug: third, name: Other }`;
const STATE = 'The accounts before it are applied, and none from it on';

const programs = new Programs();
let service: TestService;
const locks = new HeldLocks(() => service);

beforeAll(async () => {
  service = await TestService.start();
});
afterEach(async () => {
  await locks.release();
  await programs.end();
});
afterAll(() => service.stop());

const cli = (args: readonly string[], input: string): ReturnType<Programs['cli']> =>
  programs.cli(args, { DATABASE_URL: service.database.url }, { input });

const slugs = async (): Promise<string[]> =>
  (await sql<{ slug: string }>(service, 'SELECT slug FROM accounts ORDER BY slug')).map(({ slug }) => slug);

describe('apply, where an account cannot be applied any more after the check', () => {
  it('prints what was applied before it, and exits with 3 [contract 5]', async () => {
    await service.apply(
      'accounts: [{ slug: second, users: [{ email: ada@second.test }] }, { slug: third }]',
    );
    const goOn = await locks.configuration((await service.account('third')).accountId);
    const applied = cli(['apply', '-'], FILE);
    // The check has come to the last account.
    await locks.waiting(1);
    await sql(service, `UPDATE users SET archived_at = now() WHERE email = 'ada@second.test'`);
    await goOn();
    expect(await applied).toEqual({
      code: 3,
      stdout: 'first: create account first\nfirst: create user ada@first.test\n',
      stderr: `line 4, column 38: accounts[1].teams[0].members[0]: ada@second.test is not a user of the account\n${STATE}\n`,
    });
    expect(await slugs()).toEqual(['first', 'second', 'third']);
    const third = await sql(service, `SELECT name FROM accounts WHERE slug = 'third'`);
    expect(third).toEqual([{ name: 'third' }]);
  }); // prettier-ignore

  it('prints with --json one document with the accounts before it, and the error [contract 5]', async () => {
    const before = await slugs();
    // Only when a transaction that creates the account commits, which no check does.
    await createTrigger(service, 'no_space', {
      body: `RAISE 'No space left'`,
      when: `CONSTRAINT TRIGGER no_space AFTER INSERT ON accounts DEFERRABLE INITIALLY DEFERRED
        FOR EACH ROW WHEN (NEW.slug = 'two')`,
    });
    const file = 'accounts: [{ slug: one }, { slug: two }, { slug: more }]';
    const { code, stdout, stderr } = await cli(['apply', '-', '--json'], file);
    const created = { action: 'create', kind: 'account', name: 'one', changes: [] };
    expect([code, JSON.parse(stdout)]).toEqual([
      3,
      {
        dry_run: false,
        accounts: [{ account: 'one', changes: [created] }],
        error: {
          message: `accounts[1]: No space left\n${STATE}`,
          errors: [{ path: 'accounts[1]', line: 1, column: 27, message: 'No space left' }],
        },
      },
    ]);
    expect(stderr).toBe(`line 1, column 27: accounts[1]: No space left\n${STATE}\n`);
    expect(await slugs()).toEqual([...before, 'one'].sort());
  });
});
