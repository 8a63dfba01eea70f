import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import type { DataSource } from 'typeorm';
import { createDataSource } from '../../src/database/connection/data-source.js';
import { ENTITIES } from '../../src/start/entities.js';
import { LIST_CHANGES } from '../../src/records/history/record-history.repository.js';
import { createTestDatabase, type TestDatabase } from '../support/database/test-database.js';

let test: TestDatabase;
let dataSource: DataSource;
let accountId: string;

beforeEach(async () => {
  test = await createTestDatabase();
  dataSource = await createDataSource({ url: test.url, poolSize: 3, entities: ENTITIES }).initialize();
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

it('A page of a history reads the changes of its record in order, whatever there is besides [contract 7]', async () => {
  await add(1_000);
  for (const city of ['a', 'b', 'c', 'd', 'e']) await change(city);
  await dataSource.query('ANALYZE');
  const client = new Client({ connectionString: test.url });
  await client.connect();
  try {
    // As on the connections of the service (ADR 35).
    const off = ['seqscan', 'bitmapscan', 'incremental_sort'].map((name) => `SET enable_${name} = off`);
    await client.query(`${off.join(';')}; SET plan_cache_mode = force_generic_plan`);
    await client.query(`PREPARE page AS ${LIST_CHANGES.text}`);
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
