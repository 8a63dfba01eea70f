import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { createDatabase, dropDatabase } from '../support/database/citus-databases.cjs';
import { HeldLocks } from '../support/database/held-locks.js';
import { sql } from '../support/database/stored-records.js';
import { settledRows } from '../support/database/table-rows.js';
import { createTestDatabase, type TestDatabase } from '../support/database/test-database.js';
import { wrongCounts } from '../support/database/wrong-counts.js';
import { Programs } from '../support/processes/program.js';
import { query } from '../faults/embedded-support.js';
import { people, router, RoutingAccount } from '../support/routing-account.js';
import { TestService } from '../support/test-service.js';

const programs = new Programs();
afterEach(() => programs.end());

describe('migrate --distribute', () => {
  let database: TestDatabase;
  beforeAll(async () => (database = await createTestDatabase({ empty: true })));
  afterAll(() => database.drop());

  it.each([
    ['no shards', ['--distribute', '--shards', '0'], 'It must be a whole number from 1 to 64000'],
    ['words', ['--distribute', '--shards', 'many'], 'It must be a whole number from 1 to 64000'],
    ['shards alone', ['--shards', '8'], '--shards needs --distribute'],
  ])('refuses %s [contract 13]', async (_, args, message) => {
    const { code, stderr } = await programs.cli(['migrate', ...args], { DATABASE_URL: database.url });
    expect([code, stderr]).toEqual([1, expect.stringContaining(message)]);
    expect(await query(database.url, `SELECT to_regclass('accounts') AS made`)).toEqual([{ made: null }]);
  });

  it('needs a database of one’s own [contract 13]', async () => {
    const { code, stderr } = await programs.cli(['migrate', '--distribute'], { DATA_DIR: '/nowhere' });
    expect([code, stderr]).toEqual([1, expect.stringContaining('--distribute needs DATABASE_URL')]);
  });

  it('says what a database without the extension lacks, and leaves its tables [contract 13]', async () => {
    const env = { DATABASE_URL: database.url };
    const { code, stderr } = await programs.cli(['migrate', '--distribute'], env);
    expect([code, stderr]).toEqual([1, expect.stringContaining('has no extension citus')]);
    expect((await programs.cli(['migrate'], env)).stdout).toBe('the schema is up to date\n');
  });
});

/** Adds $2 contacts to the account $1. */
const RECORDS = `INSERT INTO records (account_id, object_type, id, fields, created_at, updated_at)
  SELECT a.id, 'contacts', id_at(now() + n * interval '1 microsecond'), '{"first_name": "Ada"}', now(), now()
  FROM accounts a, generate_series(1, $2::int) n WHERE a.id = $1`;

/** The address of a database at a worker. */
const onWorker = (url: string): string => {
  const [, worker = ''] = process.env['CITUS_URLS']?.trim().split(/\s+/) ?? [];
  return Object.assign(new URL(worker), { pathname: new URL(url).pathname }).href;
};

/** A service on a database of a cluster, which was migrated before it was one, and is not distributed. */
async function servedBefore(): Promise<{
  env: { DATABASE_URL: string };
  service: TestService;
  drop: () => Promise<void>;
}> {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  const migrated = (url: string) => programs.cli(['migrate'], { DATABASE_URL: url });
  const env = { DATABASE_URL: await createDatabase(name, migrated) };
  const drop = (): Promise<void> => dropDatabase(name);
  const database = { url: env.DATABASE_URL, isPlain: true, drop };
  return { env, drop, service: await TestService.start({ database }) };
}

if (process.env['CITUS_URLS'] !== undefined) {
  it('a served database that was made before the extension is distributed with all that it has [contract 13]', async () => {
    const { env, service, drop } = await servedBefore();
    try {
      const account = await RoutingAccount.open(service, {
        users: people(['ada', 'bob']),
        fields: [{ object_type: 'contacts', internal_name: 'score', type: 'number', indexed: true }],
        routers: [router('R', {}, { users: people(['ada', 'bob']) })],
      });
      expect(await account.turns('R', 3)).toBe('ada bob ada');
      const before = await settledRows(env.DATABASE_URL);
      const { stdout } = await programs.cli(['migrate', '--distribute', '--shards', '4'], env);
      expect(stdout).toContain('distributed records\n');
      expect(await settledRows(env.DATABASE_URL)).toEqual(before);
      expect(await account.turns('R', 3)).toBe('bob ada bob');
      const again = await programs.cli(['migrate', '--distribute'], env);
      expect(again.stdout).toBe('the schema is up to date, and all tables are distributed\n');
      expect(await wrongCounts(env.DATABASE_URL)).toEqual([]);
    } finally {
      await service.stop();
      await drop();
    }
  });

  it('requests that come while tables are distributed wait, and are answered [contract 13]', async () => {
    const { env, service, drop } = await servedBefore();
    try {
      const pool = { users: people(['ada', 'bob']) };
      const account = await RoutingAccount.open(service, { ...pool, routers: [router('R', {}, pool)] });
      const { api } = account;
      const id = await account.contact();
      const statuses = new Map<number, number>();
      let isOver = false;
      const loop = async (send: () => Promise<{ readonly status: number }>): Promise<void> => {
        while (!isOver) {
          const { status } = await send();
          statuses.set(status, (statuses.get(status) ?? 0) + 1);
        }
      };
      const loops = [
        () => api.get('/contacts'),
        () => api.get(`/contacts/${id}`),
        () => api.get('/assignments'),
        () => api.get('/routers'),
        () => api.patch(`/contacts/${id}`, { fields: { city: 'Paris' } }),
        async () => account.dispatch('R', await account.contact()),
      ].flatMap((send) => [loop(send), loop(send), loop(send)]);
      const { stdout } = await programs.cli(['migrate', '--distribute', '--shards', '4'], env);
      isOver = true;
      await Promise.all(loops);
      expect(stdout).toContain('distributed records\n');
      for (const status of statuses.keys()) expect([200, 503]).toContain(status);
      expect(await wrongCounts(env.DATABASE_URL)).toEqual([]);
    } finally {
      await service.stop();
      await drop();
    }
  });

  it('a table that could not be distributed is by the next run, once it can be [contract 13]', async () => {
    const database = await createTestDatabase();
    const env = { DATABASE_URL: database.url };
    try {
      await query(database.url, 'CREATE TABLE late (account_id uuid, code text, UNIQUE (code))');
      const { code, stderr } = await programs.cli(['migrate'], env);
      const why = 'The table late cannot be distributed: cannot create constraint on "late"';
      expect([code, stderr]).toEqual([1, expect.stringContaining(why)]);
      await query(database.url, 'ALTER TABLE late DROP CONSTRAINT late_code_key');
      expect((await programs.cli(['migrate'], env)).stdout).toBe('distributed late\n');
      expect((await programs.cli(['migrate'], env)).stdout).toBe('the schema is up to date\n');
    } finally {
      await database.drop();
    }
  });

  it('a dump of a cluster that is written to has each account as of one moment [contract 5, contract 13]', async () => {
    const [service, target] = [await TestService.start(), await createTestDatabase({ empty: true })];
    const locks = new HeldLocks(() => service);
    try {
      const slugs = Array.from({ length: 8 }, (_, n) => `a${n}`);
      await service.apply(`accounts: [${slugs.map((slug) => `{ slug: ${slug} }`).join(', ')}]`);
      const accounts = await Promise.all(slugs.map((slug) => service.account(slug)));
      const addRecords = async (count: number): Promise<void> => {
        for (const { accountId } of accounts) await sql(service, RECORDS, [accountId, count]);
      };
      // So many that a node would be asked for two parts of the table at a time.
      await addRecords(5_000);
      const dump = join(programs.folder(), 'dump');
      // The dump has its moment when it waits.
      const goOn = await locks.table('api_clients');
      const dumped = programs.cli(['dump', dump], { DATABASE_URL: service.database.url });
      await locks.waiting(1);
      await addRecords(10);
      await goOn();
      expect(await dumped).toMatchObject({ code: 0, stderr: '' });
      expect((await programs.cli(['load', dump], { DATABASE_URL: target.url })).code).toBe(0);
      expect(await query(target.url, 'SELECT count(*)::int AS n FROM records')).toEqual([{ n: 40_000 }]);
      expect(await wrongCounts(target.url)).toEqual([]);
      const DATABASE_URL = onWorker(service.database.url);
      for (const args of [
        ['dump', `${dump}-2`],
        ['migrate', '--distribute'],
      ]) {
        const { code, stderr } = await programs.cli(args, { DATABASE_URL });
        expect([code, stderr]).toEqual([
          1,
          expect.stringContaining('leads to a worker of the Citus cluster'),
        ]);
      }
    } finally {
      await locks.release();
      await service.stop();
      await target.drop();
    }
  });
}
