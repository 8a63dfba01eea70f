import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import type { DataSource } from 'typeorm';
import { MIGRATIONS } from '../../migrations/index.js';
import { createDataSource } from '../../src/database/data-source.js';
import { migrate } from '../../src/database/migrations.js';
import { ENTITIES } from '../../src/entities.js';
import { LIST_CHANGES } from '../../src/records/history/history.statements.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';
import { waitFor } from '../support/wait-for.js';

const MIGRATION = 'KeepHistory';
const NAMES = MIGRATIONS.map(({ name }) => name);
const ONLY = NAMES.slice(0, NAMES.findIndex((name) => name.startsWith(MIGRATION)) + 1);

let test: TestDatabase;
let dataSource: DataSource;
let accountId: string;

beforeEach(async () => {
  test = await createTestDatabase({ empty: true });
  const options = { url: test.url, poolSize: 3, entities: ENTITIES, only: ONLY };
  dataSource = await createDataSource(options).initialize();
  await migrate(dataSource);
  accountId = randomUUID();
  await dataSource.query(`INSERT INTO accounts (id, slug, name) VALUES ($1, 'acme', 'Acme')`, [accountId]);
});
afterEach(async () => {
  await dataSource.destroy();
  await test.drop();
});

/** As a release before adds and changes records: it says nothing of who does it. */
const add = (count: number): Promise<unknown> =>
  dataSource.query(
    `INSERT INTO records (account_id, object_type, id, fields, created_at, updated_at)
      SELECT $1, 'contacts', uuid_v7(clock_timestamp()), '{"city": "Oslo"}', now(), now() FROM generate_series(1, $2)`,
    [accountId, count],
  );
const change = (city: string): Promise<unknown> =>
  dataSource.query(
    `UPDATE records SET fields = fields || jsonb_build_object('city', $2::text),
       updated_at = GREATEST(clock_timestamp(), updated_at + interval '1 microsecond') WHERE account_id = $1`,
    [accountId, city],
  );
const changes = (): Promise<unknown[]> =>
  dataSource.query('SELECT by_kind, changes FROM record_changes ORDER BY at, record_id');
const bySystem = (from: string, to: string): object => ({ by_kind: 'system', changes: { city: [from, to] } });

describe('the upgrade to the release with histories', () => {
  beforeEach(() => dataSource.undoLastMigration());

  const place = async (): Promise<unknown> =>
    (await dataSource.query(
      `SELECT pg_relation_filenode('records') AS file, max(xmin::text::bigint) FROM records`,
    )) as unknown;

  it('writes no record, and keeps what changes from then on [contract 7]', async () => {
    await add(3);
    await change('Rome');
    const before = await place();
    await migrate(dataSource);
    expect(await place()).toEqual(before);
    expect(await changes()).toEqual([]);
    await change('Bern');
    expect(await changes()).toEqual(Array(3).fill(bySystem('Rome', 'Bern')));
  });

  it('waits for whoever holds the records, and lets others go on beside it', async () => {
    await add(1);
    const holder = new Client({ connectionString: test.url });
    await holder.connect();
    try {
      await holder.query('BEGIN; SELECT count(*) FROM records');
      let done = false;
      const migrated = migrate(dataSource).then(() => (done = true));
      await waitFor('the migration to have been refused its lock', async () => {
        const rows: unknown[] = await dataSource.query(
          `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
        );
        return rows.length > 0 || undefined;
      });
      await change('Rome');
      expect(done).toBe(false);
      await holder.query('COMMIT');
      await migrated;
      await change('Bern');
      expect(await changes()).toEqual([bySystem('Rome', 'Bern')]);
    } finally {
      await holder.end();
    }
  });
});

it('A page of a history reads the changes of its record in order, whatever there is besides [contract 7]', async () => {
  await add(1_000);
  for (const city of ['a', 'b', 'c', 'd', 'e']) await change(city);
  await dataSource.query('ANALYZE');
  const client = new Client({ connectionString: test.url });
  await client.connect();
  try {
    await client.query(`SET plan_cache_mode = force_generic_plan; PREPARE page AS ${LIST_CHANGES.text}`);
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(
      `EXPLAIN EXECUTE page ('${accountId}', 'contacts', '${randomUUID()}', '{city}', NULL, NULL, NULL, 11, 1000)`,
    );
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(plan).toMatch(/Index Scan Backward using record_changes_pkey/);
    expect(plan).not.toMatch(/Seq Scan on (record_changes|records)/);
  } finally {
    await client.end();
  }
});

it('SQL of others that sets a record back in time is kept in its order [contract 7]', async () => {
  const all = await createDataSource({ url: test.url, poolSize: 2, entities: ENTITIES }).initialize();
  await migrate(all);
  await all.destroy();
  await add(1);
  const client = new Client({ connectionString: test.url });
  await client.connect();
  await client.query('BEGIN');
  const steps = ['archived_at = now()', 'archived_at = NULL'];
  for (const step of [...steps, ...steps, `fields = '{"city": "Rome"}'`, ...steps])
    await client.query(`UPDATE records SET ${step} WHERE account_id = $1`, [accountId]);
  await client.query('COMMIT');
  await client.end();
  const kept = (await changes()) as { changes: Record<string, unknown> }[];
  const [archived, restored] = [{ archived: [false, true] }, { archived: [true, false] }];
  expect(kept.map((row) => row.changes).slice(-7)).toEqual([
    ...[archived, restored, archived, restored],
    { city: ['Oslo', 'Rome'] },
    ...[archived, restored],
  ]);
});
