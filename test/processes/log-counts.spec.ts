import { LogSweep } from '../../src/assignments/log-sweep.js';
import { AccountsRepository } from '../../src/accounts/index.js';
import { Background, Database } from '../../src/database/index.js';
import { fillLog } from '../support/database/filled-log.js';
import { mail, people, router, RoutingAccount } from '../support/routing-account.js';
import { ServerProcesses } from '../support/processes/server-processes.js';
import { poolOf } from '../support/database/pool-of.js';
import { userIdOf } from '../support/database/stored-records.js';
import { storm } from '../support/storm.js';

const TEAM = ['ada', 'bob', 'eve'];
/** Entries of 100 days ago, which retention deletes meanwhile. */
const OLD = 3_500;
const RECORDS = storm(240, 64);
const CLIENTS = 16;
const DAY = 86_400_000;

let servers: ServerProcesses;

beforeAll(async () => {
  servers = await ServerProcesses.create();
});
afterEach(() => servers.end());
afterAll(() => servers.close());

it('Two processes dispatch while old entries go; one is killed, and every count is right [contract 6]', async () => {
  const account = await RoutingAccount.open(servers.desk, {
    users: people(TEAM, { limits: { month: 5_000 } }),
    routers: [router('R', {}, { users: people(TEAM) })],
  });
  const { accountId } = await servers.desk.account(account.slug);
  const routerId = await account.routerId('R');
  const users = await Promise.all(TEAM.map((name) => userIdOf(servers.desk, account.slug, mail(name))));
  const old = Array.from({ length: OLD }, (_, n) => ({
    at: new Date(Date.now() - 100 * DAY + n),
    router: routerId,
    user: users[n % 3]!,
  }));
  await fillLog(poolOf(servers.desk.database.url), accountId, old);
  const records = await account.contacts(RECORDS);
  const [{ process: victim, api: dying }, { process: survivor, api }] = await Promise.all([
    servers.start(account),
    servers.start(account),
  ]);

  const database = servers.desk.app.get(Database, { strict: false });
  const settings = { ASSIGNMENT_RETENTION_DAYS: 62 };
  const sweep = new LogSweep(database, new AccountsRepository(), settings, new Background());
  const swept = sweep.sweep(new Date());
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
  expect(await swept).toEqual({ assignment_traces: 0, assignments: OLD });

  const log = await account.log();
  expect(log.length).toBeGreaterThanOrEqual(RECORDS);
  const count = async (query: string): Promise<number> =>
    (await api.get(`/assignments?limit=1${query}`)).body.pagination.count;
  expect(await count('')).toBe(log.length);
  expect(await count(`&router_id=${routerId}`)).toBe(log.length);
  const byUser = await Promise.all(TEAM.map((name) => count(`&user=${mail(name)}`)));
  expect(byUser).toEqual(TEAM.map((name) => log.filter((run) => run.user_email === mail(name)).length));
  const middle = (await api.get('/assignments?limit=3&offset=41')).body.data.map(({ id }: any) => id);
  const newest = log.reverse().map(({ id }) => id);
  expect(middle).toEqual(newest.slice(41, 44));
  const checked = await servers.programs.cli(['check'], servers.env);
  expect(checked.code).toBe(0);
  expect(survivor.logs.filter(({ level }) => level === 'error' || level === 'fatal')).toEqual([]);
  expect(await survivor.stop()).toBe(0);
}, 300_000);
