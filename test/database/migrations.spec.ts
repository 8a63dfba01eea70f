import type { DataSource } from 'typeorm';
import { createDataSource } from '../../src/database/data-source.js';
import { isOutdated, migrate } from '../../src/database/migrations.js';
import { ENTITIES } from '../../src/entities.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

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

describe('migrations', () => {
  it('build exactly what the entities say', async () => {
    await migrate(dataSource);
    const { upQueries } = await dataSource.driver.createSchemaBuilder().log();
    expect(upQueries.map(({ query }) => query)).toEqual([]);
  });

  // TypeORM does not compare the conditions of partial indexes.
  it('build exactly the indexes of the entities, conditions included', async () => {
    const indexes = (): Promise<unknown[]> =>
      dataSource.query(`SELECT indexname, indexdef FROM pg_indexes
        WHERE schemaname = 'public' AND tablename <> 'migrations' ORDER BY 1`);
    await migrate(dataSource);
    const migrated = await indexes();
    await dataSource.synchronize(true);
    expect(migrated).toEqual(await indexes());
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
    const applied = await Promise.all([dataSource, ...others].map(migrate));
    expect(applied.flat()).toEqual(dataSource.migrations.map(({ name }) => name));
    expect(await isOutdated(dataSource)).toBe(false);
    await Promise.all(others.map((other) => other.destroy()));
  });

  it('lead every table with the account', async () => {
    await migrate(dataSource);
    const keys: { table: string; first: string }[] = await dataSource.query(`
      SELECT c.relname AS table, a.attname AS first FROM pg_index i
      JOIN pg_class c ON c.oid = i.indrelid
      JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = i.indkey[0]
      WHERE i.indisprimary AND c.relnamespace = 'public'::regnamespace AND c.relname <> 'migrations'`);
    expect(keys).toHaveLength(ENTITIES.length);
    for (const { table, first } of keys) expect(first).toBe(table === 'accounts' ? 'id' : 'account_id');
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
