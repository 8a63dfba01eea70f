// A service of its own: what is wrong in the whole database is looked for.
import { Client } from 'pg';
import { fillLog } from '../support/database/filled-log.js';
import { Programs, type Environment } from '../support/processes/program.js';
import { mail, people, router, RoutingAccount } from '../support/routing-account.js';
import { sql, userIdOf } from '../support/database/stored-records.js';
import { TEST_SECRET, TestService } from '../support/test-service.js';

const ENTRIES = 4_500;
const USERS = ['ada', 'bob', 'eve'];
const NOBODY = '00000000-0000-0000-0000-000000000000';

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

/** Adds entries of a day ago to the log, a quarter of them to nobody. */
async function open(): Promise<Opened> {
  const account = await RoutingAccount.open(service, {
    users: people(USERS),
    routers: [router('R', {}, { users: people(USERS) })],
  });
  const { accountId } = await service.account(account.slug);
  const ids = await Promise.all(USERS.map((name) => userIdOf(service, account.slug, mail(name))));
  const routerId = await account.routerId('R');
  // None is of another day than the others.
  const noon = Math.floor(Date.now() / 86_400_000) * 86_400_000 - 43_200_000;
  const entries = Array.from({ length: ENTRIES }, (_, n) => ({
    at: new Date(noon + n),
    late: n % 5,
    router: routerId,
    user: n % 4 > 0 ? ids[(n % 4) - 1]! : null,
  }));
  const client = new Client({ connectionString: service.database.url });
  await client.connect();
  await fillLog(client, accountId, entries);
  await client.end();
  return { account, accountId };
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
  const none = { account: account.slug, compared: 0, wrong: 0, repaired: false };
  expect(others).toEqual([
    { ...none, check: 'counts of records' },
    { ...none, check: 'values of records', found: [] },
    { ...none, check: 'absences of users', found: [] },
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
  compared: ENTRIES,
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
    ['a count that is not there', `DELETE FROM assignment_days WHERE account_id = $1 AND user_id = '${NOBODY}'`, 2],
    ['counts that are too large', `UPDATE assignment_days SET entries = entries + 1 WHERE account_id = $1`, 8],
    ['a count of a day that has no entries', `INSERT INTO assignment_days SELECT account_id, day - 9, router_id, rule, step, user_id, reason, 1
        FROM assignment_days WHERE account_id = $1 AND day < 'infinity' LIMIT 1`, 1],
  ])('finds %s, and repairs it where told to [contract 5]', async (_, damage, wrong) => {
    await sql(service, damage, [common.accountId]);
    const repaired = { code: 0, checks: [expected(common, { wrong, repaired: true })] };
    expect(await check(common)).toEqual({ code: 2, checks: [expected(common, { wrong })] });
    expect(await check(common, '--repair')).toEqual(repaired);
    expect(await check(common)).toEqual({ code: 0, checks: [expected(common, {})] });
    expect(await counts(common)).toEqual([4_500, 4_500, 1_125]);
  }); // prettier-ignore

  it('checks every account unless told which, and prints a table [contract 5]', async () => {
    const { account } = common;
    const { code, stdout } = await programs.cli(['check'], env());
    expect(code).toBe(0);
    expect(stdout.split('\n')[0]).toMatch(/^ACCOUNT +CHECK +COMPARED +WRONG +STATE$/);
    expect(stdout).toMatch(new RegExp(`^${account.slug} +assignment log +4500 +0 +right$`, 'm'));
  });

  it('counts records that nothing has counted [contract 5]', async () => {
    const account = await RoutingAccount.open(service, { users: people(USERS) });
    const { accountId } = await service.account(account.slug);
    // What the trigger has counted is gone before anybody folds it.
    await sql(
      service,
      `BEGIN;
       INSERT INTO records (account_id, object_type, id, fields, created_at, updated_at)
         VALUES ('${accountId}', 'deals', uuid_v7(now()), '{"deal_owner": "ada@acme.test"}', now(), now());
       DELETE FROM record_count_changes WHERE account_id = '${accountId}' AND object_type = 'deals';
       COMMIT`,
    );
    const run = async (): Promise<object> => {
      const args = ['check', '--json', '--repair', '--account', account.slug];
      const { stdout } = await programs.cli(args, env());
      return JSON.parse(stdout).checks[0];
    };
    expect(await run()).toMatchObject({ check: 'counts of records', wrong: 2, repaired: true });
    expect(await run()).toMatchObject({ wrong: 0, repaired: false });
  });

  it('names what is stored and could not be now, which it leaves alone [contract 5]', async () => {
    const account = await RoutingAccount.open(service, { users: people(USERS) });
    const { accountId } = await service.account(account.slug);
    const good = { first_name: 'Ada', email: 'ada@x.test', external_id: 'crm-1', lead_source: 'event' };
    const id = await account.contact(good);
    await account.contact({ first_name: 'Right', contact_owner: mail('ada') });
    const values = { ...good, external_id: 'crm-1\r', last_name: ' ', lead_source: 'nowhere' };
    await sql(service, 'UPDATE records SET fields = $2 WHERE id = $1', [id, values]);
    await sql(
      service,
      `UPDATE users SET out_of_office = $2 WHERE account_id = $1 AND email = '${mail('bob')}'`,
      [
        accountId,
        JSON.stringify([
          { from: 'soon', to: '2026-12-27T00:00:00.000Z' },
          { from: '20261224', to: '20261227' },
          { from: '2026-12-27', to: '2026-12-24' },
        ]),
      ],
    );
    const args = ['check', '--repair', '--account', account.slug];
    const { code, stdout } = await programs.cli([...args, '--json'], env());
    expect(code).toBe(2);
    const [, , records, absences] = JSON.parse(stdout).checks;
    expect(records).toMatchObject({ compared: 2, wrong: 1, repaired: false });
    expect(records.found).toHaveLength(1);
    expect(records.found[0]).toMatch(new RegExp(`^contact ${id}: `));
    for (const part of [
      'external_id would be stored as "crm-1"',
      'last_name is blank',
      'lead_source must be one of',
    ])
      expect(records.found[0]).toContain(part);
    const found = [
      `${mail('bob')} is away from "soon" to "2026-12-27T00:00:00.000Z": from must be an ISO 8601 date, or date and time`,
      `${mail('bob')} is away from "2026-12-27" to "2026-12-24": to must be later than from`,
    ];
    expect(absences).toMatchObject({ compared: 3, wrong: 2, repaired: false, found });
    expect((await programs.cli(args, env())).stdout).toContain(`${account.slug}: ${found[0]}\n`);
  });

  it('names the account that there is none of [contract 5]', async () => {
    const { code, stderr } = await programs.cli(['check', '--account', 'nobody'], env());
    expect([code, stderr.trim()]).toEqual([1, 'There is no account nobody']);
  });
});
