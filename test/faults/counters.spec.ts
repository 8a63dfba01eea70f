import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import type { DataSource } from 'typeorm';
import { createDataSource } from '../../src/database/connection/data-source.js';
import { Background, Database, isUnavailable } from '../../src/database/index.js';
import { ENTITIES } from '../../src/start/entities.js';
import { CountJob } from '../../src/records/counts/count-job.js';
import { CounterNeeds, counterOf, type CountedRecords } from '../../src/records/counts/counter-needs.js';
import { COUNT_OWNED } from '../../src/records/counts/record-counts.statements.js';
import { RecordCountsRepository } from '../../src/records/counts/record-counts.repository.js';
import { RecordCountsCheck } from '../../src/records/index.js';
import { storm } from '../support/storm.js';
import { createTestDatabase, type TestDatabase } from '../support/database/test-database.js';
import { waitFor } from '../support/wait-for.js';
import { wrongCounts } from '../support/database/wrong-counts.js';

const WRITERS = storm(64, 16);
/** Some of a writer's are killed, which its seventh is. */
const TRANSACTIONS = storm(12, 8);
/** How often a counter that is always there is compared, at least. */
const COMPARISONS = 4;
const ACCOUNT = randomUUID();
const TYPE = 'contacts';
const OWNERS = ['ada@acme.test', 'bob@acme.test', 'eve@acme.test'];
const STAGES = ['lead', 'customer', 'other'];

const having = (...values: string[]): CountedRecords['having'] => ({ field: 'lifecycle_stage', values });
const of = (ownerField: string, condition?: CountedRecords['having']): CountedRecords => ({
  objectType: TYPE,
  ownerField,
  ...(condition === undefined ? {} : { having: condition }),
});

/** What the configurations let count, one after the other. */
const ALWAYS = [of('partner'), of('contact_owner', having('lead', 'customer'))];
const SOMETIMES = [of('contact_owner', having('other')), of('partner', having('lead')), of('nobody')];
const ALL = [...ALWAYS, ...SOMETIMES];

let database: TestDatabase;
let dataSource: DataSource;
const clients = new Set<Client>();

beforeEach(async () => {
  database = await createTestDatabase();
  dataSource = await createDataSource({ url: database.url, poolSize: 8, entities: ENTITIES }).initialize();
  await dataSource.query(
    `INSERT INTO accounts (id, slug, name, config_version) VALUES ($1, 'acme', 'Acme', 0)`,
    [ACCOUNT],
  );
});
afterEach(async () => {
  await Promise.all([...clients].map((client) => client.end().catch(() => undefined)));
  clients.clear();
  await dataSource.destroy();
  await database.drop();
});

async function connect(): Promise<Client> {
  const client = new Client({ connectionString: database.url });
  // Some sessions are killed.
  client.on('error', () => undefined);
  await client.connect();
  clients.add(client);
  return client;
}

const anyOf = <T>(values: readonly T[]): T => values[Math.floor(Math.random() * values.length)]!;
const anyFields = (): string =>
  JSON.stringify(
    Object.fromEntries(
      [
        ['contact_owner', anyOf([...OWNERS, null])],
        ['partner', anyOf([...OWNERS, null])],
        ['lifecycle_stage', anyOf([...STAGES, null])],
        ['notes', anyOf([null, 'x', `${'long '.repeat(3_000)}${Math.random()}`])],
      ].filter(([, value]) => value !== null),
    ),
  );

const SOME = `id = (SELECT id FROM records WHERE account_id = $1 AND object_type = '${TYPE}' ORDER BY random() LIMIT 1)`;
const where = `WHERE account_id = $1 AND ${SOME}`;

/** What a transaction may do. */
const STEPS: readonly ((client: Client) => Promise<unknown>)[] = [
  create,
  create,
  (client) => client.query(`UPDATE records SET fields = $2 ${where}`, [ACCOUNT, anyFields()]),
  (client) => client.query(`UPDATE records SET fields = fields || $2 ${where}`, [ACCOUNT, anyFields()]),
  (client) =>
    client.query(`UPDATE records SET fields = fields - 'lifecycle_stage', updated_at = now() ${where}`, [
      ACCOUNT,
    ]),
  (client) => client.query(`UPDATE records SET archived_at = now() ${where}`, [ACCOUNT]),
  (client) =>
    client.query(`UPDATE records SET archived_at = NULL, fields = $2 ${where}`, [ACCOUNT, anyFields()]),
  (client) => client.query(`DELETE FROM records ${where}`, [ACCOUNT]),
];

function create(client: Client): Promise<unknown> {
  return client.query(
    `INSERT INTO records (account_id, object_type, id, fields, archived_at, created_at, updated_at)
      SELECT $1::uuid, '${TYPE}', uuid_v7(clock_timestamp()), $2, CASE WHEN random() < 0.1 THEN now() END, now(), now()
      FROM generate_series(1, 3)`,
    [ACCOUNT, anyFields()],
  );
}

/**
 * Runs transactions, until there are enough and all is seen. Some wait before they end, some are rolled
 * back, some of the sessions are killed.
 */
async function write(isSeen: () => boolean): Promise<void> {
  let client = await connect();
  for (let n = 0; n < TRANSACTIONS || !isSeen(); n++) {
    try {
      await client.query('BEGIN');
      for (let step = 0; step < 3; step++) await anyOf(STEPS)(client);
      if (n % 4 === 0) await delay(50);
      if (n % 7 === 6) await client.query('SELECT pg_terminate_backend(pg_backend_pid())');
      await client.query(anyOf(['COMMIT', 'COMMIT', 'COMMIT', 'ROLLBACK']));
    } catch (error) {
      // Two writers may lock the same records in different orders.
      if ((error as { code?: string }).code === '40P01') await client.query('ROLLBACK');
      else if ((error as { code?: string }).code !== '57P01') throw error;
      else client = await connect();
    }
  }
}

/**
 * A process that keeps counters and folds changes, until it is told to stop. Where the writers leave it no
 * connection in time, it comes again, as `CountJob` does.
 */
async function keep(state: State): Promise<void> {
  const { job, needs } = process();
  let version = -1;
  while (!state.written) {
    if (state.version !== version) {
      version = state.version;
      needs.add({ accountId: ACCOUNT, version: String(version), counted: state.counted });
    }
    try {
      await job.makeReady();
      await job.fold();
    } catch (error) {
      if (!isUnavailable(error)) throw error;
    }
  }
}

/** What counts in a process. */
function process(): { readonly job: CountJob; readonly needs: CounterNeeds } {
  const needs = new CounterNeeds();
  const counts = new RecordCountsRepository(Database.of(dataSource));
  return { needs, job: new CountJob(counts, needs, new Background()) };
}

/** What the processes do. */
interface State {
  written: boolean;
  version: number;
  counted: readonly CountedRecords[];
}

async function configure(client: Client, state: State, counted: readonly CountedRecords[]): Promise<void> {
  await client.query('UPDATE accounts SET config_version = $2 WHERE id = $1', [ACCOUNT, state.version + 1]);
  Object.assign(state, { version: state.version + 1, counted });
}

/** Compares all counters that are ready with the truth in one snapshot. @returns which these are */
async function compare(client: Client): Promise<CountedRecords[]> {
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
  const ready: CountedRecords[] = [];
  for (const counted of ALL) {
    const { rows } = await client.query<{ email: string | null; count: number }>(COUNT_OWNED.text, [
      ACCOUNT,
      TYPE,
      OWNERS,
      counterOf(counted),
    ]);
    if (!rows.some(({ email }) => email === null)) continue;
    ready.push(counted);
    const { rows: truth } = await client.query(
      `SELECT fields ->> $3 AS email, count(*)::int AS count FROM records
        WHERE account_id = $1 AND object_type = $2 AND archived_at IS NULL AND fields ->> $3 IS NOT NULL
          AND ($4::text IS NULL OR fields ->> $4 = ANY ($5::text[])) GROUP BY 1`,
      [ACCOUNT, TYPE, counted.ownerField, counted.having?.field ?? null, counted.having?.values ?? null],
    );
    const byOwner = rows.filter(({ email }) => email !== null);
    expect({ counted, counts: new Set(byOwner) }).toEqual({ counted, counts: new Set(truth) });
  }
  await client.query('COMMIT');
  return ready;
}

it('are the truth as soon as they are ready, while many clients write, two processes count, and counters come and go', async () => {
  const reader = await connect();
  for (let n = 0; n < 20; n++) await create(reader);
  const state: State = { written: false, version: 0, counted: [] };
  await configure(reader, state, ALL);
  const keeping = [keep(state), keep(state)];
  const seen = new Map<CountedRecords, number>();
  const isSeen = (): boolean => ALWAYS.every((counted) => (seen.get(counted) ?? 0) >= COMPARISONS);
  const writers = Array.from({ length: WRITERS }, () => write(isSeen));
  const writing = Promise.all(writers).finally(() => (state.written = true));
  for (let n = 0; !state.written; n++) {
    for (const counted of await compare(reader)) seen.set(counted, (seen.get(counted) ?? 0) + 1);
    if (n % 10 === 9)
      await configure(reader, state, [...ALWAYS, ...SOMETIMES.filter(() => Math.random() < 0.5)]);
  }
  await writing;
  await Promise.all(keeping);
  expect(isSeen()).toBe(true);
  await compare(reader);
  expect(await wrongCounts(database.url)).toEqual([]);
});

describe('a new counter', () => {
  const NEW = of('partner', having('lead'));
  const give = (client: Client, owner: string): Promise<unknown> =>
    client.query(
      `INSERT INTO records (account_id, object_type, id, fields, created_at, updated_at)
        VALUES ($1, '${TYPE}', uuid_v7(clock_timestamp()), $2, now(), now())`,
      [ACCOUNT, JSON.stringify({ partner: owner, lifecycle_stage: 'lead' })],
    );
  const state = (): State => ({ written: false, version: 0, counted: [] });
  const needed = (version: number, counted: readonly CountedRecords[]) => ({
    accountId: ACCOUNT,
    version: String(version),
    counted,
  });
  const isReady = async (client: Client): Promise<boolean> =>
    (await compare(client)).some((counted) => counterOf(counted) === counterOf(NEW));

  it('waits for transactions that may not know it, and nobody waits for it', async () => {
    const [reader, early, late] = [await connect(), await connect(), await connect()];
    const keeper = process();
    await early.query('BEGIN');
    await give(early, 'ada@acme.test');
    keeper.needs.add(needed(0, [NEW]));
    for (let n = 0; n < 5; n++) await keeper.job.makeReady();
    expect(await isReady(reader)).toBe(false);
    await give(late, 'ada@acme.test');
    await early.query('COMMIT');
    await waitFor('the counter to be ready', async () => {
      await keeper.job.makeReady();
      return isReady(reader);
    });
    const { rows } = await reader.query(COUNT_OWNED.text, [ACCOUNT, TYPE, OWNERS, counterOf(NEW)]);
    expect(rows).toContainEqual({ email: 'ada@acme.test', count: 2 });
  });

  it('that was dropped and comes back is counted anew', async () => {
    const client = await connect();
    const run = state();
    const keeper = process();
    for (const counted of [[NEW], [], [NEW]]) {
      await configure(client, run, counted);
      keeper.needs.add(needed(run.version, counted));
      await give(client, 'bob@acme.test');
      await waitFor('the counters of the configuration', async () => {
        await keeper.job.makeReady();
        return (await isReady(client)) === counted.includes(NEW);
      });
      const { rows } = await client.query(`SELECT FROM record_counts WHERE counter = $1`, [counterOf(NEW)]);
      expect(rows).toEqual([]);
    }
    expect(await wrongCounts(database.url)).toEqual([]);
  });

  it('is not dropped by a process that has an earlier configuration', async () => {
    const client = await connect();
    const run = state();
    await configure(client, run, [NEW]);
    const [later, earlier] = [process(), process()];
    later.needs.add(needed(run.version, [NEW]));
    await later.job.makeReady();
    earlier.needs.add(needed(run.version - 1, []));
    await earlier.job.makeReady();
    const { rows } = await client.query('SELECT counter FROM record_counters');
    expect(rows).toEqual([{ counter: counterOf(NEW) }]);
  });

  it('that is wrong is found and repaired', async () => {
    const client = await connect();
    const check = new RecordCountsCheck(new RecordCountsRepository(Database.of(dataSource)));
    const keeper = process();
    keeper.needs.add(needed(0, [NEW]));
    await give(client, 'eve@acme.test');
    await waitFor('the counter to be ready', async () => {
      await keeper.job.makeReady();
      return isReady(client);
    });
    await client.query('ALTER TABLE records DISABLE TRIGGER records_count');
    for (const owner of OWNERS) await give(client, owner);
    await client.query('ALTER TABLE records ENABLE TRIGGER records_count');
    expect(await check.compare({ accountId: ACCOUNT })).toMatchObject({ wrong: 4 });
    expect(await wrongCounts(database.url)).toHaveLength(4);
    await check.repair({ accountId: ACCOUNT });
    expect(await check.compare({ accountId: ACCOUNT })).toMatchObject({ wrong: 0 });
    expect(await isReady(client)).toBe(true);
  });
});
