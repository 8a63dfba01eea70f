import { Client } from 'pg';
import type { DataSource } from 'typeorm';
import { createDataSource } from '../../src/database/data-source.js';
import { MIGRATION_LOCK } from '../../src/database/advisory-locks.js';
import { isOutdated, migrate } from '../../src/database/migrations.js';
import { ENTITIES } from '../../src/entities.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';
import { waitFor } from '../support/wait-for.js';

let database: TestDatabase;
let dataSource: DataSource;

async function connect(): Promise<DataSource> {
  return createDataSource({ url: database.url, poolSize: 3, entities: ENTITIES }).initialize();
}

beforeEach(async () => {
  database = await createTestDatabase({ empty: true });
  dataSource = await connect();
});

afterEach(async () => {
  await dataSource.destroy();
  await database.drop();
});

/** Holds the table until the connection ends, which has no limits of time. */
async function holdRecords(): Promise<Client> {
  const holder = new Client({ connectionString: database.url });
  await holder.connect();
  await holder.query('BEGIN; LOCK TABLE records IN ROW EXCLUSIVE MODE');
  return holder;
}

/** Returns the columns, indexes and functions of the schema. */
async function shape(): Promise<unknown[]> {
  return dataSource.query(`
    SELECT 'column' AS kind, table_name || '.' || column_name AS name,
      concat_ws(' ', data_type, is_nullable, column_default) AS definition
    FROM information_schema.columns WHERE table_schema = 'public' AND table_name <> 'migrations'
    UNION ALL SELECT 'index', indexname, indexdef FROM pg_indexes
    WHERE schemaname = 'public' AND tablename <> 'migrations'
    UNION ALL SELECT 'function', proname, prosrc FROM pg_proc WHERE pronamespace = 'public'::regnamespace
    ORDER BY 1, 2`);
}

/** Whether entities cannot declare an index. */
const isOfExpression = (name: string): boolean => /^(records|users)_odd_/.test(name);

describe('migrations', () => {
  it('build exactly what the entities say', async () => {
    await migrate(dataSource);
    const { upQueries } = await dataSource.driver.createSchemaBuilder().log();
    expect(upQueries.map(({ query }) => query)).toEqual([]);
  });

  // TypeORM does not compare the conditions of partial indexes.
  it('build exactly the indexes of the entities, conditions included', async () => {
    const indexes = (): Promise<unknown[]> =>
      dataSource.query(`SELECT indexname, replace(indexdef, ' ON ONLY ', ' ON ') AS indexdef FROM pg_indexes
        WHERE schemaname = 'public' AND tablename <> 'migrations' AND NOT EXISTS (
          SELECT FROM pg_class WHERE oid = format('%I.%I', schemaname, tablename)::regclass AND relispartition)
        ORDER BY 1`);
    await migrate(dataSource);
    const migrated = (await indexes()) as { indexname: string; indexdef: string }[];
    await dataSource.synchronize(true);
    expect(migrated.filter(({ indexname }) => !isOfExpression(indexname))).toEqual(await indexes());
    const odd = (key: string): string =>
      `CREATE INDEX records_odd_${key}_idx ON public.records USING btree (account_id, object_type, search_text(${key})) ` +
      `WHERE ((archived_at IS NULL) AND (${key} IS NOT NULL) AND (search_text(${key}) <> ${key}))`;
    const oddEmail =
      'CREATE INDEX users_odd_email_idx ON public.users USING btree (account_id, search_text(email)) ' +
      `WHERE ((email ~ '[^!-~]'::text) OR (email <> lower((email COLLATE "C"))))`;
    expect(
      migrated.filter(({ indexname }) => isOfExpression(indexname)).map((each) => each.indexdef),
    ).toEqual([odd('external_id'), odd('unique_key'), oddEmail]);
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
    expect(applied.flat()).toEqual(dataSource.migrations.map(({ name }) => name));
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
    expect((await migrate(dataSource)).length).toBeGreaterThan(0);
    expect(said).toHaveLength(1);
  });

  it('lead every table with the account', async () => {
    await migrate(dataSource);
    const keys: { table: string; first: string }[] = await dataSource.query(`
      SELECT c.relname AS table, a.attname AS first FROM pg_index i
      JOIN pg_class c ON c.oid = i.indrelid
      JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = i.indkey[0]
      WHERE i.indisprimary AND c.relnamespace = 'public'::regnamespace AND c.relname <> 'migrations'
        AND NOT c.relispartition`);
    expect(keys).toHaveLength(ENTITIES.length);
    for (const { table, first } of keys) expect(first).toBe(table === 'accounts' ? 'id' : 'account_id');
  });
});

describe('migrations beside processes that serve', () => {
  const ACCOUNT = '00000000-0000-7000-8000-000000000001';

  /** Takes migrations back until the one with this name is pending. */
  async function takeBack(name: string): Promise<void> {
    await migrate(dataSource);
    for (const each of [...dataSource.migrations].reverse()) {
      await dataSource.undoLastMigration();
      if (each.name?.startsWith(name) === true) return;
    }
    throw new Error(`There is no migration ${name}`);
  }

  /** Writes records as a release does that does not know the column of the owner. */
  const insertRecords = (count: number, owner: string | null): Promise<unknown> =>
    dataSource.query(
      `INSERT INTO records (account_id, object_type, id, fields, created_at, updated_at)
        SELECT $1, type, uuid_v7(now()), jsonb_strip_nulls(jsonb_build_object(
          CASE type WHEN 'companies' THEN 'company_owner' ELSE left(type, -1) || '_owner' END, $3::text)), now(), now()
        FROM generate_series(1, $2::int), unnest('{contacts,companies,deals,tickets}'::text[]) AS type`,
      [ACCOUNT, count, owner],
    );

  const owners = (): Promise<unknown> =>
    dataSource.query('SELECT owner, count(*)::int AS count FROM records GROUP BY 1 ORDER BY 1');

  it('make the owner of each record right that an earlier release has written', async () => {
    await takeBack('CountOwnedRecords');
    await insertRecords(1_200, 'ada@acme.test');
    await insertRecords(10, null);
    await migrate(dataSource);
    expect(await owners()).toEqual([
      { owner: 'ada@acme.test', count: 4_800 },
      { owner: null, count: 40 },
    ]);
  });

  it('repair what an earlier release has left wrong beside a later one', async () => {
    await takeBack('FillOwners');
    await insertRecords(10, 'ada@acme.test');
    await dataSource.query(`UPDATE records SET owner = 'eve@acme.test' WHERE object_type = 'deals'`);
    await migrate(dataSource);
    expect(await owners()).toEqual([{ owner: 'ada@acme.test', count: 40 }]);
  });

  it('keep the owner right whichever release writes', async () => {
    await migrate(dataSource);
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

  it('wait for a transaction that holds a table, and let others pass meanwhile', async () => {
    await takeBack('CountOwnedRecords');
    const holder = await holdRecords();
    let isDone = false;
    const other = await connect();
    const migrated = migrate(other).then(() => (isDone = true));
    await waitFor('a migration to wait for the table', async () => {
      const { length } = await dataSource.query(
        `SELECT 1 FROM pg_locks WHERE relation = 'records'::regclass AND NOT granted`,
      );
      return length > 0;
    });
    // They queue up behind the migration, which steps back for them.
    for (let count = 0; count < 5; count++) await insertRecords(1, 'ada@acme.test');
    expect(isDone).toBe(false);
    await holder.end();
    await migrated;
    await other.destroy();
    expect(await owners()).toEqual([{ owner: 'ada@acme.test', count: 20 }]);
  });

  it('go on where a run has ended between two steps, also in the middle of an index', async () => {
    await takeBack('CountOwnedRecords');
    await dataSource.query('ALTER TABLE records ADD COLUMN owner text');
    const holder = await holdRecords();
    const builder = dataSource.createQueryRunner();
    const [{ pid }] = await builder.query('SELECT pg_backend_pid() AS pid');
    const built = builder
      .query('CREATE INDEX CONCURRENTLY records_owner_id_idx ON records (account_id)')
      .then(() => 'built', String);
    const invalid = (): Promise<unknown[]> =>
      dataSource.query(
        `SELECT 1 FROM pg_index WHERE indexrelid = to_regclass('records_owner_id_idx') AND NOT indisvalid`,
      );
    await waitFor('the index to be begun', async () => (await invalid()).length > 0);
    await dataSource.query('SELECT pg_cancel_backend($1)', [pid]);
    expect(await built).toMatch(/canceling statement/);
    await builder.release();
    await holder.end();
    expect(await invalid()).toHaveLength(1);
    await migrate(dataSource);
    expect(await invalid()).toEqual([]);
    const [{ definition }] = await dataSource.query(
      `SELECT pg_get_indexdef('records_owner_id_idx'::regclass) AS definition`,
    );
    expect(definition).toContain('(account_id, object_type, owner, id)');
  });
});

describe('uuid_v7', () => {
  it('gives ids of version 7 that sort by time within a millisecond', async () => {
    await migrate(dataSource);
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
