import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import type { DataSource } from 'typeorm';
import { createIndex, fillBatch } from '../../migrations/online-schema.js';
import { createDataSource, type MigrationClass } from '../../src/database/connection/data-source.js';
import { MIGRATION_LOCK } from '../../src/database/connection/advisory-locks.js';
import { isOutdated, migrate } from '../../src/database/migrations.js';
import { ENTITIES } from '../../src/start/entities.js';
import { GRADE_INDEX, GradeRecords1999000000000 } from '../support/database/later-migration.js';
import { createTestDatabase, type TestDatabase } from '../support/database/test-database.js';
import { waitFor } from '../support/wait-for.js';

const ACCOUNT = '00000000-0000-7000-8000-000000000001';

let database: TestDatabase;
let dataSource: DataSource;

/** @param migrations those of a later release */
async function connect(migrations: readonly MigrationClass[] = []): Promise<DataSource> {
  return createDataSource({ url: database.url, poolSize: 3, entities: ENTITIES, migrations }).initialize();
}

/** Each test of the block gets a database: an empty one, or one with all migrations, which they may share. */
function useDatabase({ empty = false, shared = false }): void {
  const [before, after] = shared ? [beforeAll, afterAll] : [beforeEach, afterEach];
  before(async () => {
    database = await createTestDatabase({ empty });
    dataSource = await connect();
  });
  after(async () => {
    await dataSource.destroy();
    await database.drop();
  });
}

/** Holds the table until the connection ends, which has no limits of time. */
async function holdRecords(): Promise<Client> {
  const holder = new Client({ connectionString: database.url });
  await holder.connect();
  await holder.query('BEGIN; LOCK TABLE records IN ROW EXCLUSIVE MODE');
  return holder;
}

/** Returns the tables, columns, indexes and functions of the schema. */
async function shape(): Promise<{ kind: string; name: string; definition: string }[]> {
  return dataSource.query(`
    SELECT 'column' AS kind, table_name || '.' || column_name AS name,
      concat_ws(' ', data_type, CASE is_nullable WHEN 'NO' THEN 'NOT NULL' END, 'COLLATE ' || collation_name,
        'DEFAULT ' || column_default, 'GENERATED ' || generation_expression) AS definition
    FROM information_schema.columns WHERE table_schema = 'public' AND table_name <> 'migrations'
    UNION ALL SELECT 'index', indexname, indexdef FROM pg_indexes
    WHERE schemaname = 'public' AND tablename <> 'migrations'
    UNION ALL SELECT 'table', relname, concat_ws(' ', CASE relpersistence WHEN 'u' THEN 'UNLOGGED' END,
        obj_description(oid, 'pg_class')) FROM pg_class
    WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND relname <> 'migrations'
    UNION ALL SELECT 'function', proname, prosrc FROM pg_proc WHERE pronamespace = 'public'::regnamespace
    ORDER BY 1, 2`);
}

/** Whether entities cannot declare an index. */
const OF_EXPRESSION = /^records_odd_|^assignments_kind_idx$/;
const isOfExpression = (name: string): boolean => OF_EXPRESSION.test(name);

describe('migrations', () => {
  useDatabase({ empty: true });

  it('build exactly what the entities say', async () => {
    await migrate(dataSource);
    const { upQueries } = await dataSource.driver.createSchemaBuilder().log();
    expect(upQueries.map(({ query }) => query)).toEqual([]);
  });

  // TypeORM does not compare the conditions of partial indexes.
  it('build exactly the indexes of the entities, conditions included', async () => {
    const indexes = (): Promise<unknown[]> =>
      dataSource.query(
        `SELECT indexname, indexdef FROM pg_indexes
        WHERE schemaname = 'public' AND (tablename = ANY ($1) OR indexname ~ '${OF_EXPRESSION.source}') ORDER BY 1`,
        [dataSource.entityMetadatas.map(({ tableName }) => tableName)],
      );
    await migrate(dataSource);
    const migrated = (await indexes()) as { indexname: string; indexdef: string }[];
    await dataSource.synchronize(true);
    expect(migrated.filter(({ indexname }) => !isOfExpression(indexname))).toEqual(await indexes());
    const odd = (key: string): string =>
      `CREATE INDEX records_odd_${key}_idx ON public.records USING btree (account_id, object_type, search_text(${key})) ` +
      `WHERE ((archived_at IS NULL) AND (${key} IS NOT NULL) AND (search_text(${key}) <> ${key}))`;
    expect(
      migrated.filter(({ indexname }) => isOfExpression(indexname)).map((each) => each.indexdef),
    ).toEqual([
      `CREATE INDEX assignments_kind_idx ON public.assignments USING btree ` +
        `(account_id, router_id, reason, COALESCE(rule, ''::text), COALESCE(step, (0)::smallint), id)`,
      odd('external_id'),
      odd('unique_key'),
    ]);
  });

  // Most tables have no entity (ADR 8). `npm run test:service -- database/migrations -u` writes it anew.
  it('build the schema of the snapshot', async () => {
    await migrate(dataSource);
    const lines = (await shape()).filter(({ kind }) => kind !== 'function');
    expect(
      lines.map(({ kind, name, definition }) => `${kind} ${name} ${definition}`.trim()).join('\n'),
    ).toMatchSnapshot();
  });

  it('can be taken back and applied again', async () => {
    await migrate(dataSource);
    const before = await shape();
    expect(before.length).toBeGreaterThan(50);
    for (const _ of dataSource.migrations) await dataSource.undoLastMigration();
    expect(await shape()).toEqual([]);
    await migrate(dataSource);
    expect(await shape()).toEqual(before);
  });

  it('are applied once by processes that start together', async () => {
    expect(await isOutdated(dataSource)).toBe(true);
    const others = await Promise.all([connect(), connect(), connect()]);
    const applied = await Promise.all([dataSource, ...others].map((each) => migrate(each)));
    expect(applied.flatMap((each) => each.applied)).toEqual(dataSource.migrations.map(({ name }) => name));
    expect(await isOutdated(dataSource)).toBe(false);
    await Promise.all(others.map((other) => other.destroy()));
  });

  it('say what they wait for, and wait no longer than they are told', async () => {
    const holder = createDataSource({
      url: database.url,
      poolSize: 1,
      entities: [],
      sessionName: 'deploy 7',
    });
    await holder.initialize();
    const [{ pid }] = await holder.query('SELECT pg_advisory_lock($1), pg_backend_pid() AS pid', [
      MIGRATION_LOCK,
    ]);
    const said: string[] = [];
    const stop = new AbortController();
    const migrated = migrate(dataSource, { log: (text) => said.push(text), signal: stop.signal });
    const failed = expect(migrated).rejects.toThrow('stopped by the test');
    await waitFor('a message', () => said.length > 0);
    expect(said[0]).toContain(
      `the PostgreSQL process ${pid} (application_name "deploy 7", connected for 00:`,
    );
    stop.abort(new Error('stopped by the test'));
    await failed;
    await holder.destroy();
    expect((await migrate(dataSource)).applied.length).toBeGreaterThan(0);
    expect(said).toHaveLength(1);
  });
});

/** Inserts records of each type as a release does that does not know grades. */
const insertRecords = (count: number, owner: string | null): Promise<unknown> =>
  dataSource.query(
    `INSERT INTO records (account_id, object_type, id, fields, created_at, updated_at)
      SELECT $1, type, uuid_v7(now()), jsonb_strip_nulls(jsonb_build_object('city', 'Oslo',
        CASE type WHEN 'companies' THEN 'company_owner' ELSE left(type, -1) || '_owner' END, $3::text)), now(), now()
      FROM generate_series(1, $2::int), unnest('{contacts,companies,deals,tickets}'::text[]) AS type`,
    [ACCOUNT, count, owner],
  );

describe('migrations beside processes that serve', () => {
  useDatabase({});
  let later: DataSource;
  beforeEach(async () => (later = await connect([GradeRecords1999000000000])));
  afterEach(() => later.destroy());

  const grades = (): Promise<unknown> =>
    dataSource.query('SELECT grade, count(*)::int AS count FROM records GROUP BY 1 ORDER BY 1');

  it('fill what an earlier release has written, and can be taken back', async () => {
    await insertRecords(400, null);
    const before = await shape();
    expect(await isOutdated(later)).toBe(true);
    await migrate(later);
    expect(await grades()).toEqual([{ grade: 'O!', count: 1_600 }]);
    expect(await isOutdated(later)).toBe(false);
    // The earlier release may start on the schema of the later one.
    expect(await isOutdated(dataSource)).toBe(false);
    expect((await migrate(dataSource)).applied).toEqual([]);
    const runner = later.createQueryRunner();
    await new GradeRecords1999000000000().down(runner);
    await runner.release();
    expect(await shape()).toEqual(before);
  });

  it('wait for a transaction that holds a table, and let others pass meanwhile', async () => {
    const holder = await holdRecords();
    let isDone = false;
    const migrated = migrate(later).then(() => (isDone = true));
    await waitFor('a migration to wait for the table', async () => {
      const { length } = await dataSource.query(
        `SELECT 1 FROM pg_locks WHERE relation = 'records'::regclass AND NOT granted`,
      );
      return length > 0;
    });
    // They queue up behind the migration, which steps back for them.
    for (let count = 0; count < 5; count++) await insertRecords(1, null);
    expect(isDone).toBe(false);
    await holder.end();
    await migrated;
    expect(await grades()).toEqual([{ grade: 'O!', count: 20 }]);
  });

  it('fill a row that another transaction holds once that has ended', async () => {
    await insertRecords(1, null);
    const holder = await holdRecords();
    await holder.query('SELECT FROM records FOR UPDATE');
    const runner = dataSource.createQueryRunner();
    await runner.query('SET lock_timeout = 50');
    const filled = fillBatch(runner, `UPDATE records SET archived_by = 'filled' RETURNING id`);
    const attempts = new Set<string>();
    await waitFor('another attempt', async () => {
      const rows: { at: string }[] =
        await dataSource.query(`SELECT query_start::text AS at FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock'`);
      for (const { at } of rows) attempts.add(at);
      return attempts.size > 1;
    });
    await holder.end();
    expect(await filled).toMatchObject({ 1: 4 });
    await runner.release();
  });

  it('make an index unique, again where the rows were not the first time', async () => {
    await insertRecords(2, null);
    const runner = dataSource.createQueryRunner();
    const index = { name: 'records_city_key', definition: `ON records ((fields ->> 'city'))`, unique: true };
    await expect(createIndex(runner, index)).rejects.toMatchObject({ code: '23505' });
    await runner.query(`UPDATE records SET fields = jsonb_build_object('city', id)`);
    await createIndex(runner, index);
    const [found] = await runner.query(
      `SELECT indisunique AND indisvalid AS good FROM pg_index WHERE indexrelid = 'records_city_key'::regclass`,
    );
    expect(found).toEqual({ good: true });
    await runner.release();
  });

  it('go on where a run has ended between two steps, also in the middle of an index', async () => {
    await dataSource.query('ALTER TABLE records ADD COLUMN grade text');
    const holder = await holdRecords();
    const builder = dataSource.createQueryRunner();
    const [{ pid }] = await builder.query('SELECT pg_backend_pid() AS pid');
    const built = builder
      .query(`CREATE INDEX CONCURRENTLY ${GRADE_INDEX.name} ON records (account_id)`)
      .then(() => 'built', String);
    const invalid = (): Promise<unknown[]> =>
      dataSource.query('SELECT 1 FROM pg_index WHERE indexrelid = to_regclass($1) AND NOT indisvalid', [
        GRADE_INDEX.name,
      ]);
    await waitFor('the index to be begun', async () => (await invalid()).length > 0);
    await dataSource.query('SELECT pg_cancel_backend($1)', [pid]);
    expect(await built).toMatch(/canceling statement/);
    await builder.release();
    await holder.end();
    expect(await invalid()).toHaveLength(1);
    await migrate(later);
    expect(await invalid()).toEqual([]);
    const [{ definition }] = await dataSource.query('SELECT pg_get_indexdef(to_regclass($1)) AS definition', [
      GRADE_INDEX.name,
    ]);
    expect(definition).toContain('(account_id, grade)');
  });
});

describe('the schema', () => {
  useDatabase({ shared: true });

  it('leads every table with the account', async () => {
    const keys: { table: string; first: string }[] = await dataSource.query(`
      SELECT c.relname AS table, a.attname AS first FROM pg_index i
      JOIN pg_class c ON c.oid = i.indrelid
      JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = i.indkey[0]
      WHERE i.indisprimary AND c.relnamespace = 'public'::regnamespace AND c.relname <> 'migrations'
        AND NOT c.relispartition`);
    const [{ tables }] = await dataSource.query(`SELECT count(*)::int AS tables FROM pg_tables
      WHERE schemaname = 'public' AND tablename <> 'migrations'`);
    expect(keys).toHaveLength(tables);
    expect(tables).toBeGreaterThan(ENTITIES.length);
    const others: Record<string, string> = {
      accounts: 'id',
      processes: 'id',
      account_keys: 'kind',
    };
    for (const { table, first } of keys) expect(first).toBe(others[table] ?? 'account_id');
  });

  it('lets accounts, clients and people be found that a release of before writes [contract 13]', async () => {
    const [account, client] = [randomUUID(), randomUUID()];
    await dataSource.query(`INSERT INTO accounts (id, slug, name) VALUES ($1, 'old', 'Old')`, [account]);
    await dataSource.query(
      `INSERT INTO api_clients (account_id, id, name, secret_hash, scopes) VALUES ($1, $2, 'Old', '', '{}')`,
      [account, client],
    );
    await dataSource.query(
      `INSERT INTO console_members (account_id, id, email, email_key, role) VALUES ($1, $2, 'A@x', 'a@x', 'admin')`,
      [account, client],
    );
    await dataSource.query(
      `UPDATE console_members SET issuer = 'https://i', subject = 's' WHERE account_id = $1`,
      [account],
    );
    await dataSource.query(`INSERT INTO console_groups VALUES ($1, 'ops', 'admin')`, [account]);
    const keys = (): Promise<unknown> =>
      dataSource.query('SELECT kind, key FROM account_keys WHERE account_id = $1 ORDER BY 1', [account]);
    const expected = [
      { kind: 'client', key: client },
      { kind: 'email', key: 'a@x' },
      { kind: 'group', key: 'ops' },
      { kind: 'person', key: 'https://i s' },
      { kind: 'slug', key: 'old' },
    ];
    expect(await keys()).toEqual(expected);
    await dataSource.query('DELETE FROM account_keys');
    await dataSource.query('SELECT fill_account_keys($1)', [account]);
    expect(await keys()).toEqual(expected);
  });

  it('keeps the owner right whoever writes', async () => {
    const owners = (): Promise<unknown> =>
      dataSource.query('SELECT owner, count(*)::int AS count FROM records GROUP BY 1 ORDER BY 1');
    await insertRecords(1, 'ada@acme.test');
    expect(await owners()).toEqual([{ owner: 'ada@acme.test', count: 4 }]);
    await dataSource.query(`UPDATE records SET fields = fields || '{"deal_owner": "eve@acme.test"}'
      WHERE object_type = 'deals'`);
    await dataSource.query(
      `UPDATE records SET fields = fields - 'ticket_owner' WHERE object_type = 'tickets'`,
    );
    expect(await owners()).toEqual([
      { owner: 'ada@acme.test', count: 2 },
      { owner: 'eve@acme.test', count: 1 },
      { owner: null, count: 1 },
    ]);
  });

  it('has a function uuid_v7, whose ids are of version 7 and sort by time within a millisecond', async () => {
    const rows: { id: string }[] = await dataSource.query(`
      SELECT uuid_v7('2026-03-01T09:30:00Z'::timestamptz + make_interval(secs => i * 0.00001)) AS id
      FROM generate_series(0, 499) AS i`);
    const ids = rows.map(({ id }) => id);
    for (const id of ids)
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect([...ids].sort()).toEqual(ids);
    expect(parseInt(ids[0]!.replaceAll('-', '').slice(0, 12), 16)).toBe(Date.parse('2026-03-01T09:30:00Z'));
  });
});
