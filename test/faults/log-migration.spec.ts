import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import type { DataSource } from 'typeorm';
import { MIGRATIONS } from '../../migrations/index.js';
import { AssignmentsRepository } from '../../src/assignments/assignments.repository.js';
import { monthStart } from '../../src/assignments/months/month.js';
import { createDataSource } from '../../src/database/data-source.js';
import { Database, firstIdAt } from '../../src/database/index.js';
import { migrate } from '../../src/database/migrations.js';
import { ENTITIES } from '../../src/entities.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';
import { waitFor } from '../support/wait-for.js';

const MIGRATION = 'PartitionAssignments';
const NAMES = MIGRATIONS.map(({ name }) => name);
/** It is the last one, so that it can be taken back alone. */
const ONLY = NAMES.slice(0, NAMES.findIndex((name) => name.startsWith(MIGRATION)) + 1);
const ROUTER = randomUUID();

let test: TestDatabase;
let dataSource: DataSource;
let accountId: string;

beforeEach(async () => {
  test = await createTestDatabase({ empty: true });
  dataSource = await createDataSource({
    url: test.url,
    poolSize: 3,
    entities: ENTITIES,
    only: ONLY,
  }).initialize();
  await migrate(dataSource);
  // The release before has a table that is not divided.
  while ((await applied()).includes(MIGRATION)) await dataSource.undoLastMigration();
  accountId = randomUUID();
  await dataSource.query(`INSERT INTO accounts (id, slug, name) VALUES ($1, 'acme', 'Acme')`, [accountId]);
});
afterEach(async () => {
  await dataSource.destroy();
  await test.drop();
});

async function applied(): Promise<string> {
  const rows: { name: string }[] = await dataSource.query('SELECT name FROM migrations ORDER BY id');
  return rows.map(({ name }) => name).join(' ');
}

/** As the release before adds entries, with the trace in the entry. */
const ADD = `INSERT INTO assignments
    (account_id, id, router_id, object_type, object_id, user_email, previous_user, reason, message, trace, turn, created_at)
  SELECT $1, uuid_v7(clock_timestamp() - $3::int * interval '1 day' + n * interval '1 microsecond'), $2, 'contacts', gen_random_uuid(),
    'ada@acme.test', NULL, 'round_robin', 'x', '[{"step": "trigger"}]', NULL, clock_timestamp()
  FROM generate_series(1, $4::int) AS n RETURNING id, object_id`;

const add = (count: number, daysAgo = 0): Promise<{ id: string }[]> =>
  dataSource.query(ADD, [accountId, ROUTER, daysAgo, count]);

/** Later migrations add columns that the log is read with. */
async function addLaterColumns(): Promise<void> {
  await dataSource.query('ALTER TABLE assignments ADD COLUMN router_version integer');
  await dataSource.query('ALTER TABLE users ADD COLUMN stored_as text');
}

const partitions = async (): Promise<string[]> => {
  const rows: { name: string }[] = await dataSource.query(
    `SELECT relid::text AS name FROM pg_partition_tree('assignments') WHERE isleaf ORDER BY 1`,
  );
  return rows.map(({ name }) => name);
};

it('divides a log while clients write as the release before does, and none is refused', async () => {
  await add(20_000, 400);
  let [writing, written] = [true, 20_000];
  const write = async (): Promise<void> => {
    const client = new Client({ connectionString: test.url });
    await client.connect();
    while (writing) {
      const { rowCount } = await client.query({ name: 'add', text: ADD, values: [accountId, ROUTER, 0, 3] });
      written += rowCount ?? 0;
    }
    await client.end();
  };
  const writers = [write(), write(), write()];
  await waitFor('writes', () => written > 20_030);
  expect(await migrate(dataSource)).toEqual([`${MIGRATION}1764900000000`]);
  const before = written;
  await waitFor('writes on the divided log', () => written > before + 30);
  writing = false;
  await Promise.all(writers);
  expect(await partitions()).toEqual(['assignments_first', 'assignments_later']);
  await addLaterColumns();
  const page = { limit: 5, offset: 0, behind: undefined, filters: new Map() };
  const log = new AssignmentsRepository();
  expect((await log.list(Database.of(dataSource), { accountId }, page)).count).toBe(written);
}, 300_000);

it('reads an entry of the release before with its trace, and builds no index anew', async () => {
  const [entry] = await add(1);
  const files = (): Promise<unknown> =>
    dataSource.query(
      `SELECT array_agg(pg_relation_filenode(indexrelid) ORDER BY 1) AS files FROM pg_index
        WHERE indrelid = COALESCE(to_regclass('assignments_first'), 'assignments'::regclass)`,
    );
  const before = await files();
  await migrate(dataSource);
  expect(await files()).toEqual(before);
  await addLaterColumns();
  const found = await new AssignmentsRepository().find(
    Database.of(dataSource),
    { accountId },
    entry?.id ?? '',
  );
  expect(found?.trace).toEqual([{ step: 'trigger' }]);
});

it('takes an entry of any instant: the first one, the next years, and the last one there can be', async () => {
  await migrate(dataSource);
  const ids = [
    '00000000-0000-0000-0000-000000000001',
    firstIdAt(new Date()),
    firstIdAt(new Date(Date.now() + 40 * 86_400_000)),
    firstIdAt(new Date(Date.UTC(2199, 0, 1))),
    'ffffffff-ffff-ffff-ffff-ffffffffffff',
  ];
  for (const id of ids) {
    await dataSource.query(
      `INSERT INTO assignments (account_id, id, router_id, object_type, object_id, reason, message, created_at)
        VALUES ($1, $2, $1, 'contacts', $1, 'x', 'x', now())`,
      [accountId, id],
    );
  }
  expect(await dataSource.query('SELECT id FROM assignments ORDER BY id')).toEqual(ids.map((id) => ({ id })));
});

it('divides behind entries of the future, which a clock has left', async () => {
  await add(2);
  const future = firstIdAt(new Date(Date.UTC(2031, 4, 5)));
  await dataSource.query(
    'UPDATE assignments SET id = $1 WHERE id = (SELECT id FROM assignments ORDER BY id LIMIT 1)',
    [future],
  );
  await migrate(dataSource);
  const [row] = await dataSource.query(
    `SELECT pg_get_expr(relpartbound, oid) AS bounds FROM pg_class WHERE relname = 'assignments_first'`,
  );
  expect(row.bounds).toBe(
    `FOR VALUES FROM (MINVALUE) TO ('${monthStart(new Date(Date.UTC(2031, 4, 5)), 2)}')`,
  );
});

it('goes on where a run has ended between two steps, and grants what was granted', async () => {
  await add(3);
  await dataSource.query('GRANT SELECT, INSERT ON assignments TO PUBLIC');
  await dataSource.query(
    `ALTER TABLE assignments ADD CONSTRAINT assignments_until_boundary CHECK (id < '01a00000-0000-0000-0000-000000000000') NOT VALID`,
  );
  await migrate(dataSource);
  await dataSource.query(`DELETE FROM migrations WHERE name LIKE '${MIGRATION}%'`);
  expect(await migrate(dataSource)).toEqual([`${MIGRATION}1764900000000`]);
  const rules = await dataSource.query(
    `SELECT conname FROM pg_constraint WHERE contype = 'c' AND conname LIKE 'assignments%'`,
  );
  expect(rules).toEqual([]);
  const granted = await dataSource.query(
    `SELECT privilege_type AS right FROM information_schema.role_table_grants
      WHERE table_name = 'assignments' AND grantee = 'PUBLIC' ORDER BY 1`,
  );
  expect(granted).toEqual([{ right: 'INSERT' }, { right: 'SELECT' }]);
});

it('can be taken back, with all entries', async () => {
  await add(4);
  await migrate(dataSource);
  await add(3);
  await dataSource.undoLastMigration();
  const [row] = await dataSource.query(
    `SELECT count(*)::int AS count, (SELECT relkind FROM pg_class WHERE oid = 'assignments'::regclass) AS kind FROM assignments`,
  );
  expect(row).toEqual({ count: 7, kind: 'r' });
});
