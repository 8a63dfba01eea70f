// A service of its own: entries of all accounts are compared.
import { Client } from 'pg';
import { logLock, MIGRATION_LOCK } from '../../src/database/index.js';
import { foldLog } from '../support/fold-log.js';
import { Programs, type Environment } from '../support/program.js';
import { mail, people, router, RoutingAccount } from '../support/routing-account.js';
import { sql } from '../support/stored-records.js';
import { TEST_SECRET, TestService } from '../support/test-service.js';
import { waitFor } from '../support/wait-for.js';

/** One entry an hour, of which the last is an hour old: two whole folds and a tail. */
const ENTRIES = 4_500;
const DAYS = 100;
/** The entry that old is deleted: time passes before the command runs. */
const KEPT = DAYS * 24 - 1;

const programs = new Programs();
let service: TestService;
let account: RoutingAccount;
let other: RoutingAccount;

/** Entries of Ada, Bob and nobody. Each has a trace and was returned, the oldest one just now. */
const ADD = `WITH entry AS (
    INSERT INTO assignments (account_id, id, router_id, object_type, object_id, user_email, reason, message, created_at)
    SELECT $1, uuid_v7(at), $2, 'contacts', $1, ($3::text[])[n % 3], 'round_robin', 'x', at
    FROM generate_series(1, $4::int) AS n CROSS JOIN LATERAL (SELECT now() - n * interval '1 hour' AS at) AS t
    RETURNING account_id, id, router_id, created_at),
  trace AS (INSERT INTO assignment_traces (account_id, id, trace) SELECT account_id, id, '[]' FROM entry)
  INSERT INTO returned_assignments (account_id, assignment_id, user_email, assigned_at, returned_at, router_id, rotation_key)
  SELECT account_id, id, 'ada@acme.test', created_at, CASE WHEN last THEN now() ELSE created_at END, router_id,
    CASE WHEN last THEN 'all' END
  FROM entry CROSS JOIN LATERAL (SELECT created_at <= now() - $4::int * interval '1 hour' AS last) AS l`;

async function open(): Promise<RoutingAccount> {
  const opened = await RoutingAccount.open(service, {
    users: people(['ada', 'bob']),
    routers: [router('R', {}, { users: people(['ada', 'bob']) })],
  });
  const { accountId } = await service.account(opened.slug);
  const users = [mail('ada'), mail('bob')];
  await sql(service, ADD, [accountId, await opened.routerId('R'), users, ENTRIES]);
  await foldLog(service, { accountId });
  return opened;
}

beforeAll(async () => {
  service = await TestService.start();
  [account, other] = await Promise.all([open(), open()]);
});
afterEach(() => programs.end());
afterAll(() => service.stop());

const env = (): Environment => ({ DATABASE_URL: service.database.url, JWT_SECRET: TEST_SECRET });

const run = (...args: string[]): ReturnType<Programs['cli']> =>
  programs.cli(['assignments', 'delete', '--json', ...args], env());

/** The numbers of entries by the API: of all, of the router and of a user. */
async function counts(of: RoutingAccount): Promise<number[]> {
  const queries = ['', `&router_id=${await of.routerId('R')}`, `&user=${mail('ada')}`];
  const pages = await Promise.all(queries.map((query) => of.api.get(`/assignments?limit=1${query}`)));
  return pages.map(({ body }) => body.pagination.count);
}

/** The rows of an account in the tables of the log. */
async function stored({ slug }: RoutingAccount): Promise<number[]> {
  const tables = ['assignments', 'assignment_traces', 'returned_assignments'];
  const rows = await sql<{ n: number }>(
    service,
    tables
      .map(
        (table) =>
          `SELECT count(*)::int AS n FROM ${table} WHERE account_id = (SELECT id FROM accounts WHERE slug = $1)`,
      )
      .join(' UNION ALL '),
    [slug],
  );
  return rows.map(({ n }) => n);
}

describe('assignments delete', () => {
  it('says how many entries there are, deletes these, and then finds none [contract 6]', async () => {
    const options = ['--account', account.slug, '--older-than', String(DAYS)];
    const result = { account: account.slug, older_than_days: DAYS };
    const old = ENTRIES - KEPT;
    const oldest = `/assignments?limit=1&offset=${ENTRIES - 1}`;
    const [entry] = (await account.api.get(oldest)).body.data;

    const dry = await run(...options, '--dry-run');
    expect([dry.code, JSON.parse(dry.stdout)]).toEqual([2, { ...result, dry_run: true, entries: old }]);
    expect(await stored(account)).toEqual([ENTRIES, ENTRIES, ENTRIES]);

    const wet = await run(...options);
    expect([wet.code, JSON.parse(wet.stdout)]).toEqual([0, { ...result, dry_run: false, entries: old }]);
    // The turn that is still owed stays.
    expect(await stored(account)).toEqual([KEPT, KEPT, KEPT + 1]);
    expect(await counts(account)).toEqual([KEPT, KEPT, 800]);
    expect((await account.api.get(oldest)).body.data).toEqual([]);
    expect((await account.api.get(`/assignments/${entry.id}`)).status).toBe(404);
    const last = (await account.api.get(`/assignments?limit=1&offset=${KEPT - 1}`)).body;
    expect([last.data.length, last.pagination.next]).toEqual([1, null]);

    const again = await run(...options);
    expect([again.code, JSON.parse(again.stdout).entries]).toEqual([0, 0]);
    const none = await run(...options, '--dry-run');
    expect([none.code, JSON.parse(none.stdout).entries]).toEqual([0, 0]);

    expect(await counts(other)).toEqual([ENTRIES, ENTRIES, 1_500]);
    const check = await programs.cli(['check', '--json', '--dry-run'], env());
    const own = [account.slug, other.slug];
    const checks: any[] = JSON.parse(check.stdout).checks.filter((each: any) => own.includes(each.account));
    expect([check.code, checks.map(({ wrong }) => wrong)]).toEqual([0, [0, 0, 0, 0]]);
  }, 300_000);

  it('goes on while others hold the lock of migrations, and waits for those that fold the log [contract 5]', async () => {
    const client = new Client({ connectionString: service.database.url });
    await client.connect();
    await client.query('SELECT pg_advisory_lock_shared($1)', [MIGRATION_LOCK]);
    const { accountId } = await service.account(other.slug);
    await client.query(`SELECT pg_advisory_lock(${logLock('$1')})`, [accountId]);
    let ended = false;
    const deleted = run('--account', other.slug, '--older-than', String(DAYS)).finally(() => (ended = true));
    const waiting = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'advisory'`;
    await waitFor(
      'the command to wait',
      async () => (await client.query(waiting)).rowCount === 1 || undefined,
    );
    expect([ended, await counts(other)]).toEqual([false, [ENTRIES, ENTRIES, 1_500]]);
    await client.query(`SELECT pg_advisory_unlock(${logLock('$1')})`, [accountId]);
    expect(JSON.parse((await deleted).stdout).entries).toBe(ENTRIES - KEPT);
    await client.end();
    expect(await counts(other)).toEqual([KEPT, KEPT, 800]);
  });

  it.each([
    [['--account', 'nobody', '--older-than', '62'], 'There is no account nobody'],
    [['--account', 'a', '--older-than', '61'], 'It must be a whole number of days, 62 to 36500.'],
    [['--account', 'a', '--older-than', '1e3'], 'It must be a whole number of days, 62 to 36500.'],
    [['--account', 'a'], "required option '--older-than <days>' not specified"],
  ])('refuses %j [contract 5]', async (args, message) => {
    const { code, stdout } = await run(...args);
    expect(code).toBe(1);
    expect(JSON.parse(stdout).error.message).toContain(message);
  });
});
