import { mail, people, router, RoutingAccount } from '../support/routing-account.js';
import { ServerProcesses } from '../support/server-processes.js';
import { sql } from '../support/stored-records.js';
import { storm } from '../support/storm.js';
import { waitFor } from '../support/wait-for.js';

const TEAM = ['ada', 'bob', 'eve'];
/** Entries of the log before the processes start: five batches and a tail. */
const OLD = 10_500;
const FOLDED = 10_000;
const RECORDS = storm(240, 64);
const CLIENTS = 16;

let servers: ServerProcesses;

beforeAll(async () => {
  servers = await ServerProcesses.create();
});
afterEach(() => servers.end());
afterAll(() => servers.close());

/** Adds entries of a release that knows no blocks. Whatever is of an earlier month is folded at once. */
async function addOld(account: RoutingAccount): Promise<void> {
  const { accountId } = await servers.desk.account(account.slug);
  await sql(
    servers.desk,
    `INSERT INTO assignments
       (account_id, id, router_id, object_type, object_id, user_email, reason, message, created_at)
     SELECT $1, uuid_v7(at), $2, 'contacts', $1, ($3::text[])[1 + n % 3], 'round_robin', 'x', date_trunc('milliseconds', at)
     FROM generate_series(1, $4) AS n
     CROSS JOIN (SELECT date_trunc('month', now(), 'UTC') AS begin) AS month
     CROSS JOIN LATERAL (SELECT begin + (now() - interval '10 seconds' - begin) * n / $4 AS at) AS t`,
    [accountId, await account.routerId('R'), TEAM.map(mail), OLD],
  );
}

/** Returns the numbers of entries that the blocks and the log have. */
async function entries(account: RoutingAccount): Promise<{ folded: number; logged: number }> {
  const { accountId } = await servers.desk.account(account.slug);
  const [row] = await sql<{ folded: number; logged: number }>(
    servers.desk,
    `SELECT (SELECT count(*)::int FROM assignments WHERE account_id = $1) AS logged,
       (SELECT COALESCE(sum(entries), 0)::int FROM assignment_blocks
         WHERE account_id = $1 AND router_id = $2 AND user_email = '') AS folded`,
    [accountId, await account.routerId('R')],
  );
  return row!;
}

it('Two processes fold a log that they find while they dispatch; one is killed, and every count is right [contract 6]', async () => {
  const account = await RoutingAccount.open(servers.desk, {
    users: people(TEAM, { limits: { month: 5_000 } }),
    routers: [router('R', {}, { users: people(TEAM) })],
  });
  await addOld(account);
  const records = await account.contacts(RECORDS);
  const routerId = await account.routerId('R');
  const [{ process: victim, api: dying }, { process: survivor, api }] = await Promise.all([
    servers.start(account),
    servers.start(account),
  ]);

  const queue = records.values();
  let answered = 0;
  const client = async (_: unknown, index: number): Promise<void> => {
    for (const object_id of queue) {
      const body = { router_id: routerId, object_id };
      const dispatched = (index % 2 === 0 ? dying : api).post('/dispatch/router', body);
      const { status } = await dispatched.catch(() => api.post('/dispatch/router', body));
      expect(status).toBe(200);
      answered += 1;
      if (answered === RECORDS / 2) victim.signal('SIGKILL');
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
  expect(await victim.exit()).toBeNull();

  await waitFor('the log to be folded', async () => (await entries(account)).folded === FOLDED);
  const { logged } = await entries(account);
  expect(logged).toBeGreaterThanOrEqual(OLD + RECORDS);
  const count = async (query: string): Promise<number> =>
    (await api.get(`/assignments?limit=1${query}`)).body.pagination.count;
  expect(await count('')).toBe(logged);
  expect(await count(`&router_id=${routerId}`)).toBe(logged);
  const byUser = await Promise.all(TEAM.map((name) => count(`&user=${mail(name)}`)));
  const log = await account.log();
  expect(byUser).toEqual(TEAM.map((name) => log.filter((run) => run.user_email === mail(name)).length));
  const middle = (await api.get('/assignments?limit=3&offset=7001')).body.data.map(({ id }: any) => id);
  expect(middle).toEqual(
    log
      .reverse()
      .slice(7_001, 7_004)
      .map(({ id }) => id),
  );
  const checked = await servers.programs.cli(['check', '--dry-run'], servers.env);
  expect(checked.code).toBe(0);
  expect(survivor.logs.filter(({ level }) => level === 'error' || level === 'fatal')).toEqual([]);
  expect(await survivor.stop()).toBe(0);
}, 300_000);
