import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BlockedWrites } from '../support/database/blocked-writes.js';
import { equalShares, tijdeman, worstDeviation } from '../support/fairness.js';
import { nameOf, people, router, RoutingAccount } from '../support/routing-account.js';
import { ServerProcesses } from '../support/processes/server-processes.js';
import { storm } from '../support/storm.js';
import { waitFor } from '../support/wait-for.js';

const TEAM = ['ada', 'bob', 'eve'];
const ROWS = storm(3000, 2000);

type Counts = Readonly<Record<'created' | 'dispatched', number>>;

let servers: ServerProcesses;
let account: RoutingAccount;
let args: string[];

beforeAll(async () => {
  servers = await ServerProcesses.create();
  account = await RoutingAccount.open(servers.desk, {
    users: people(TEAM),
    routers: [router('R', { overwrite: true }, { users: people(TEAM) })],
  });
  const rows = Array.from({ length: ROWS }, (_, n) => `{"external_id": "${n}", "first_name": "N${n}"}\n`);
  const file = join(servers.programs.folder(), 'x.ndjson');
  writeFileSync(file, rows.join(''));
  args = ['import', '--account', account.slug, '--type', 'contacts', '--file', file];
  args.push('--key', 'external_id', '--router', 'R', '--json');
});
afterAll(async () => {
  await servers.end();
  await servers.close();
});

/** Kills an import when it waits for a table, after so many runs are logged. */
async function killedAt(table: string, logged: number): Promise<void> {
  const process = servers.programs.start(args, servers.env);
  await waitFor('the import to get there', async () => (await account.log()).length >= logged);
  const lock = await BlockedWrites.of(servers.env.DATABASE_URL, table);
  const { pid } = await lock.blocked();
  process.signal('SIGKILL');
  expect(await process.exit()).toBeNull();
  // What the database has begun for the process ends by itself.
  await lock.release(pid);
}

it('An import with a router that is killed, and killed again, ends as one that was never killed [contract 7]', async () => {
  for (const [table, logged] of [
    ['records', 0],
    ['assignments', 100],
    ['records', 700],
    ['assignments', 1300],
  ] as const) {
    await killedAt(table, logged);
  }
  const undone = (await account.log()).length;
  expect(undone).toBeLessThan(ROWS);
  const { code, stdout } = await servers.programs.cli(args, servers.env);
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    rows: ROWS,
    rejected: 0,
    updated: 0,
    dispatched: ROWS - undone,
  });

  const records = (await account.stored()).records as { id: string; fields: Record<string, string> }[];
  expect(new Set(records.map(({ fields }) => fields['external_id'])).size).toBe(ROWS);
  expect(records).toHaveLength(ROWS);
  const log = await account.log();
  expect(log.map(({ object_id: id }) => id).sort()).toEqual(records.map(({ id }) => id).sort());
  const names = log.map(({ user_email: email }) => nameOf(email ?? ''));
  expect(worstDeviation(names, equalShares(TEAM))).toBeLessThanOrEqual(tijdeman(TEAM.length));
  const { stdout: again } = await servers.programs.cli(args, servers.env);
  expect(JSON.parse(again)).toMatchObject({ unchanged: ROWS, dispatched: 0 });
}, 300_000);

it('An import that is interrupted says what it has done, and the next one does the rest [contract 5, contract 7]', async () => {
  const other = await RoutingAccount.open(servers.desk, {});
  const mine = args
    .map((each) => (each === account.slug ? other.slug : each))
    .filter((each) => !['--router', 'R'].includes(each));
  const process = servers.programs.start(mine, servers.env);
  await waitFor('some records', async () => (await other.stored()).records.length > 0);
  const lock = await BlockedWrites.of(servers.env.DATABASE_URL, 'records');
  await lock.blocked();
  process.signal('SIGINT');
  await lock.end();
  expect(await process.exit()).toBe(3);
  const done = (await other.stored()).records.length;
  expect(JSON.parse(process.stdout)).toMatchObject({ rows: done, created: done, finished: false });
  expect(done).toBeLessThan(ROWS);
  const { stdout } = await servers.programs.cli(mine, servers.env);
  expect(JSON.parse(stdout)).toMatchObject({ created: ROWS - done, unchanged: done, finished: true });
});

it('Two imports of one file at the same time make each record once, and run the router on it once [contract 7]', async () => {
  const other = await RoutingAccount.open(servers.desk, {
    users: people(TEAM),
    routers: [router('R', {}, { users: people(TEAM) })],
  });
  const mine = args.map((each) => (each === account.slug ? other.slug : each));
  const both = await Promise.all([1, 2].map(() => servers.programs.process(mine, servers.env)));
  const [one, two] = both.map(({ stdout }) => JSON.parse(stdout)) as [Counts, Counts];
  expect(both.map(({ code }) => code)).toEqual([0, 0]);
  expect([one.created + two.created, one.dispatched + two.dispatched]).toEqual([ROWS, ROWS]);
  const log = await other.log();
  expect(log).toHaveLength(ROWS);
  expect(new Set(log.map(({ object_id: id }) => id)).size).toBe(ROWS);
});
