// A service of its own: what is wrong in the whole database is looked for.
import { foldLog } from '../support/fold-log.js';
import { Programs, type Environment } from '../support/program.js';
import { mail, people, router, RoutingAccount } from '../support/routing-account.js';
import { sql } from '../support/stored-records.js';
import { TEST_SECRET, TestService } from '../support/test-service.js';

/** Two batches and a tail. */
const ENTRIES = 4_500;
const FOLDED = 4_000;
const USERS = ['ada', 'bob', 'eve'];

const programs = new Programs();
let service: TestService;
/** An account whose log is right before each test and after it. */
let common: Opened;

beforeAll(async () => {
  service = await TestService.start();
  common = await open();
});
afterEach(() => programs.end());
afterAll(() => service.stop());

const env = (): Environment => ({ DATABASE_URL: service.database.url, JWT_SECRET: TEST_SECRET });

interface Opened {
  readonly account: RoutingAccount;
  readonly accountId: string;
}

/** Adds entries of a day ago to the log. Each has its id up to four milliseconds after its decision. */
const ADD = `INSERT INTO assignments
    (account_id, id, router_id, object_type, object_id, user_email, reason, message, created_at)
  SELECT $1, uuid_v7(at + n % 5 * interval '1 millisecond'), $2, 'contacts', $1,
    CASE WHEN n % 4 > 0 THEN ($3::text[])[n % 4] END, 'round_robin', 'x', date_trunc('milliseconds', at)
  FROM generate_series(1, $4) AS n
  CROSS JOIN LATERAL (SELECT now() - interval '1 day' + n * interval '10 seconds' AS at) AS t`;

async function add({ account, accountId }: Opened, entries: number): Promise<void> {
  const users = USERS.map((name) => mail(name));
  await sql(service, ADD, [accountId, await account.routerId('R'), users, entries]);
}

/** Opens an account whose log is folded up to its tail. */
async function open(): Promise<Opened> {
  const account = await RoutingAccount.open(service, {
    users: people(USERS),
    routers: [router('R', {}, { users: people(USERS) })],
  });
  const opened = { account, accountId: (await service.account(account.slug)).accountId };
  await add(opened, ENTRIES);
  await foldLog(service, opened);
  return opened;
}

/** Runs the command on one account. */
async function check(
  { account }: Opened,
  ...options: string[]
): Promise<{ code: number | null; checks: any[] }> {
  const args = ['check', '--json', '--account', account.slug, ...options];
  const { code, stdout } = await programs.cli(args, env());
  const checks: any[] = JSON.parse(stdout).checks;
  const others = checks.filter((each) => each.check !== 'assignment log');
  expect(others).toEqual([
    { account: account.slug, check: 'counts of records', compared: 0, wrong: 0, repaired: false },
  ]);
  return { code, checks: checks.filter((each) => each.check === 'assignment log') };
}

const counts = async ({ account }: Opened): Promise<number[]> => {
  const queries = ['', `&router_id=${await account.routerId('R')}`, `&user=${mail('ada')}`];
  const pages = await Promise.all(queries.map((query) => account.api.get(`/assignments?limit=1${query}`)));
  return pages.map(({ body }) => body.pagination.count);
};

const expected = ({ account }: Opened, of: object): object => ({
  account: account.slug,
  check: 'assignment log',
  compared: FOLDED,
  wrong: 0,
  repaired: false,
  ...of,
});

describe('check', () => {
  it('finds nothing in a log that is right, and says what it compared [contract 5]', async () => {
    expect(await check(common)).toEqual({ code: 0, checks: [expected(common, {})] });
    expect(await counts(common)).toEqual([4_500, 4_500, 1_125]);
  });

  it.each([
    ['a block that is not there', `DELETE FROM assignment_blocks WHERE account_id = $1 AND user_email = 'ada@acme.test' AND before = 32`, 4],
    ['a last block with too many entries', `UPDATE assignment_blocks SET entries = entries + 1 WHERE account_id = $1 AND user_email = '' AND before = 3000`, 2],
    ['a block that begins too late', `UPDATE assignment_blocks SET first_id = uuid_v7(now()) WHERE account_id = $1 AND user_email = 'bob@acme.test' AND before = 64`, 2],
    ['blocks of somebody who has no entries', `INSERT INTO assignment_blocks SELECT account_id, router_id, 'x@acme.test', before, first_id, entries
        FROM assignment_blocks WHERE account_id = $1 AND user_email = '' AND before = 0`, 2],
    ['ids that are later than it is kept', `UPDATE assignment_folds SET late_ms = 3 WHERE account_id = $1`, 1],
  ])('finds %s, and repairs it unless told not to [contract 5]', async (_, damage, wrong) => {
    await sql(service, damage, [common.accountId]);
    const found = await check(common, '--dry-run');
    expect(found).toEqual({ code: 2, checks: [expected(common, { wrong })] });
    expect(await check(common)).toEqual({ code: 0, checks: [expected(common, { wrong, repaired: true })] });
    expect(await check(common, '--dry-run')).toEqual({ code: 0, checks: [expected(common, {})] });
    expect(await counts(common)).toEqual([4_500, 4_500, 1_125]);
  }); // prettier-ignore

  it('counts entries that a clock which was set back has put before those in blocks [contract 5]', async () => {
    const opened = await open();
    await add(opened, 8);
    expect(await counts(opened)).toEqual([4_500, 4_500, 1_125]);
    const { code, checks } = await check(opened);
    expect([code, checks[0].compared, checks[0].repaired]).toEqual([0, FOLDED + 8, true]);
    expect(await counts(opened)).toEqual([4_508, 4_508, 1_127]);
    expect(await check(opened)).toEqual({ code: 0, checks: [expected(opened, {})] });
  });

  it('checks every account unless told which, and prints a table [contract 5]', async () => {
    const { account } = common;
    const { code, stdout } = await programs.cli(['check', '--dry-run'], env());
    expect(code).toBe(0);
    expect(stdout.split('\n')[0]).toMatch(/^ACCOUNT +CHECK +COMPARED +WRONG +STATE$/);
    expect(stdout).toMatch(new RegExp(`^${account.slug} +assignment log +4000 +0 +right$`, 'm'));
  });

  it('counts records that no trigger has counted [contract 5]', async () => {
    const account = await RoutingAccount.open(service, { users: people(USERS) });
    const { accountId } = await service.account(account.slug);
    await sql(service, 'ALTER TABLE records DISABLE TRIGGER records_count');
    await sql(
      service,
      `INSERT INTO records (account_id, object_type, id, fields, created_at, updated_at)
        VALUES ($1, 'deals', uuid_v7(now()), '{"deal_owner": "ada@acme.test"}', now(), now())`,
      [accountId],
    );
    await sql(service, 'ALTER TABLE records ENABLE TRIGGER records_count');
    const run = async (): Promise<object> => {
      const { stdout } = await programs.cli(['check', '--json', '--account', account.slug], env());
      return JSON.parse(stdout).checks[0];
    };
    expect(await run()).toMatchObject({ check: 'counts of records', wrong: 2, repaired: true });
    expect(await run()).toMatchObject({ wrong: 0, repaired: false });
  });

  it('names the account that there is none of [contract 5]', async () => {
    const { code, stderr } = await programs.cli(['check', '--account', 'nobody'], env());
    expect([code, stderr.trim()]).toEqual([1, 'There is no account nobody']);
  });
});
