import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import type { DataSource } from 'typeorm';
import { createDataSource } from '../../src/database/connection/data-source.js';
import { Database } from '../../src/database/index.js';
import { ENTITIES } from '../../src/start/entities.js';
import { RecordCountsRepository } from '../../src/records/counts/record-counts.repository.js';
import { COUNT_OWNED, OWNER } from '../../src/records/counts/record-counts.statements.js';
import { countStatement, listStatement, viewShape } from '../../src/records/record-view.statements.js';
import { RecordCountsCheck } from '../../src/records/index.js';
import { storm } from '../support/storm.js';
import { createTestDatabase, type TestDatabase } from '../support/database/test-database.js';
import { textOf } from '../support/database/cluster.js';
import { wrongCounts } from '../support/database/wrong-counts.js';

const WRITERS = 8;
const TRANSACTIONS = storm(60, 20);
const COMPARISONS = 11;
const ACCOUNTS = [randomUUID(), randomUUID()];
const OWNERS = ['ada@acme.test', 'bob@acme.test', 'eve@acme.test'];
const TYPE = 'contacts';

let database: TestDatabase;
let dataSource: DataSource;
let counts: RecordCountsRepository;
const clients: Client[] = [];

beforeEach(async () => {
  database = await createTestDatabase();
  dataSource = await createDataSource({ url: database.url, poolSize: 4, entities: ENTITIES }).initialize();
  counts = new RecordCountsRepository(await Database.of(dataSource).learn());
});
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.end()));
  await dataSource.destroy();
  await database.drop();
});

async function connect(): Promise<Client> {
  const client = new Client({ connectionString: database.url });
  await client.connect();
  clients.push(client);
  return client;
}

const anyOf = <T>(values: readonly T[]): T => values[Math.floor(Math.random() * values.length)]!;
const anyOwner = (): string | null => anyOf([...OWNERS, null]);

/** Changes a record of the account that exists, by chance. @param change SQL with $1 account, $3 record */
async function one(
  client: Client,
  change: string,
  [account, owner = null]: (string | null)[],
): Promise<void> {
  const { rows } = await client.query(
    `SELECT id FROM records WHERE account_id = $1 AND object_type = '${TYPE}' ORDER BY random() LIMIT 1`,
    [account],
  );
  await client.query(`${change} WHERE account_id = $1 AND id = $3 AND $2::text IS NOT DISTINCT FROM $2`, [
    account,
    owner,
    rows[0]?.id,
  ]);
}
const OWNER_FIELDS = `fields = jsonb_strip_nulls(jsonb_build_object('contact_owner', $2::text))`;

/** What a transaction may do. The creation comes after the transaction has its id, as the service's does. */
const STEPS: readonly ((client: Client, account: string) => Promise<unknown>)[] = [
  (client, account) => create(client, account, 'clock_timestamp()'),
  (client, account) => create(client, account, 'clock_timestamp()'),
  (client, account) => create(client, account, `clock_timestamp() - interval '1 hour' * (1 + random())`),
  (client, account) => one(client, `UPDATE records SET ${OWNER_FIELDS}`, [account, anyOwner()]),
  (client, account) => one(client, 'UPDATE records SET archived_at = now()', [account]),
  (client, account) => one(client, 'UPDATE records SET archived_at = NULL', [account]),
  (client, account) => one(client, 'DELETE FROM records', [account]),
];

function create(client: Client, account: string, at: string): Promise<unknown> {
  return client.query(
    `INSERT INTO records (account_id, object_type, id, fields, archived_at, created_at, updated_at)
      SELECT $1::uuid, '${TYPE}', uuid_v7(${at}), jsonb_strip_nulls(jsonb_build_object('contact_owner', $2::text)),
        CASE WHEN random() < 0.1 THEN now() END, now(), now() FROM generate_series(1, 3)`,
    [account, anyOwner()],
  );
}

async function write(client: Client, isSeen: () => boolean): Promise<void> {
  for (let n = 0; n < TRANSACTIONS || !isSeen(); n++) {
    await client.query('BEGIN');
    try {
      await client.query('SELECT pg_current_xact_id()');
      for (let step = 0; step < 3; step++) await anyOf(STEPS)(client, anyOf(ACCOUNTS));
      if (n % 5 === 0) await delay(20);
      await client.query(anyOf(['COMMIT', 'COMMIT', 'COMMIT', 'ROLLBACK']));
    } catch (error) {
      // Two writers may lock the same records in different orders.
      if ((error as { code?: string }).code !== '40P01') throw error;
      await client.query('ROLLBACK');
    }
  }
}

/** Folds what waits until all is written. */
async function fold(isWritten: () => boolean): Promise<void> {
  for (let isLast = false; !isLast;) {
    isLast = isWritten();
    while (await counts.fold());
  }
}

/** Compares the counts with the truth in one snapshot. @returns the records of the accounts */
async function compare(client: Client): Promise<number> {
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
  let total = 0;
  for (const account of ACCOUNTS) {
    const count = async (text: string, values: unknown[] = [account, TYPE]): Promise<unknown[]> =>
      (await client.query(text, values)).rows;
    const all = `SELECT count(*)::int AS count FROM records WHERE account_id = $1 AND object_type = $2`;
    const owned = `SELECT owner AS email, count(*)::int AS count FROM records
      WHERE account_id = $1 AND object_type = $2 AND archived_at IS NULL AND owner IS NOT NULL GROUP BY 1`;
    const [every] = (await count(all)) as { count: number }[];
    expect(await count(textOf(countStatement(false)))).toMatchObject([every!]);
    expect(await count(textOf(countStatement(true)))).toMatchObject(
      await count(`${all} AND archived_at IS NULL`),
    );
    const byOwner = await count(textOf(COUNT_OWNED), [account, TYPE, OWNERS, OWNER]);
    expect(new Set(byOwner)).toEqual(new Set([...(await count(owned)), { email: null, count: 0 }]));
    for (const active of [true, false]) {
      const offset = Math.floor(Math.random() * (every!.count + 2));
      const page = [account, TYPE, 5, 10_000, offset, true];
      const ids = await count(
        `SELECT id FROM records WHERE account_id = $1 AND object_type = $2
          AND ($3 OR archived_at IS NULL) ORDER BY id LIMIT 5 OFFSET $4`,
        [account, TYPE, !active, offset],
      );
      const idsOf = (rows: unknown[]): unknown[] => rows.map((row) => ({ id: (row as { id: string }).id }));
      const [list] = await count(textOf(listStatement(active, 'offset', viewShape(TYPE, []))), page);
      expect(idsOf(JSON.parse(`[${(list as { views: string | null }).views ?? ''}]`))).toEqual(ids);
    }
    total += every!.count;
  }
  await client.query('COMMIT');
  return total;
}

it('are the truth in every snapshot, while eight clients write and two fold', async () => {
  const reader = await connect();
  const writers = await Promise.all(Array.from({ length: WRITERS }, connect));
  const state = { isWritten: false };
  let compared = 0;
  const isSeen = (): boolean => compared >= COMPARISONS;
  const writing = Promise.all(writers.map((writer) => write(writer, isSeen))).finally(
    () => (state.isWritten = true),
  );
  const folding = [fold(() => state.isWritten), fold(() => state.isWritten)];
  while (!state.isWritten) {
    await compare(reader);
    compared++;
  }
  await writing;
  await Promise.all(folding);
  expect(isSeen()).toBe(true);
  const total = await compare(reader);
  const { rows } = await reader.query(`SELECT sum(n)::int AS total FROM record_counts WHERE owner = ''`);
  expect(rows[0].total).toBe(total);
  expect((await reader.query('SELECT FROM record_count_changes')).rows).toEqual([]);
});

it('have one change for each counter of a statement that creates many, whatever ids these have', async () => {
  const client = await connect();
  const account = randomUUID();
  await client.query(
    `INSERT INTO records (account_id, object_type, id, fields, archived_at, created_at, updated_at)
      SELECT $1, '${TYPE}', uuid_v7(now() - n * interval '1 day'), '{}', CASE WHEN n > 7 THEN now() END, now(), now()
      FROM generate_series(1, 10) n`,
    [account],
  );
  const { rows } = await client.query(
    'SELECT counter, owner, n::int FROM record_count_changes WHERE account_id = $1 ORDER BY 1',
    [account],
  );
  expect(rows).toEqual([
    { counter: 'active', owner: '', n: 7 },
    { counter: 'archived', owner: '', n: 3 },
  ]);
});

it('take up many changes in a table that PostgreSQL believes to be empty', async () => {
  const client = await connect();
  const [account] = ACCOUNTS;
  await client.query('ANALYZE record_count_changes');
  const many = storm(20_000, 12_000);
  await client.query(
    `INSERT INTO records (account_id, object_type, id, fields, created_at, updated_at)
      SELECT $1::uuid, '${TYPE}', uuid_v7(now() - interval '1 hour'),
        jsonb_build_object('contact_owner', 'user' || n % 3), now(), now()
      FROM generate_series(1, ${many}) AS n`,
    [account],
  );
  await client.query(
    `UPDATE records SET fields = '{"contact_owner": "other"}', archived_at = CASE WHEN id::text < '9' THEN $1::timestamptz END`,
    [new Date()],
  );
  let rounds = 1;
  while (await counts.fold()) rounds++;
  expect(rounds).toBeLessThanOrEqual((many * 4) / 5_000 + 1);
  expect((await client.query('SELECT FROM record_count_changes')).rows).toEqual([]);
  expect(await wrongCounts(database.url)).toEqual([]);
});

it('that are wrong are found and repaired, also beside changes that wait', async () => {
  const client = await connect();
  const [account] = ACCOUNTS as [string, string];
  const check = new RecordCountsCheck(counts);
  for (let n = 0; n < 10; n++) await create(client, account, 'clock_timestamp()');
  await client.query(`UPDATE records SET ${OWNER_FIELDS} WHERE account_id = $1`, [account, OWNERS[0]]);
  while (await counts.fold());
  expect(await check.compare({ accountId: account })).toEqual({ compared: expect.any(Number), wrong: 0 });

  await client.query('UPDATE record_counts SET n = n + 2 WHERE n > 0');
  await one(client, `UPDATE records SET ${OWNER_FIELDS}`, [account, OWNERS[1]!]);
  const { wrong } = await check.compare({ accountId: account });
  expect(wrong).toBe((await wrongCounts(database.url)).length);
  expect(wrong).toBeGreaterThanOrEqual(2);
  await check.repair({ accountId: account });
  expect(await check.compare({ accountId: account })).toMatchObject({ wrong: 0 });
  while (await counts.fold());
  expect(await wrongCounts(database.url)).toEqual([]);
  await compare(client);
});

it('that are wrong are right after repairs at the same time', async () => {
  const account = ACCOUNTS[0]!;
  const client = await connect();
  for (let n = 0; n < 20; n++) await create(client, account, 'clock_timestamp()');
  const check = new RecordCountsCheck(counts);
  for (let round = 0; round < 5; round++) {
    await client.query(
      `INSERT INTO record_count_changes (account_id, object_type, counter, owner, n) VALUES ($1, $2, 'active', '', 7)`,
      [account, TYPE],
    );
    await Promise.all([check.repair({ accountId: account }), check.repair({ accountId: account })]);
    expect(await check.compare({ accountId: account })).toMatchObject({ wrong: 0 });
  }
});
