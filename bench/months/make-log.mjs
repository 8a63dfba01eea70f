// A log of five years in a database of its own, divided into partitions.
import { createRequire } from 'node:module';
import { withClient } from '../support/with-client.mjs';

const require = createRequire(import.meta.url);
const load = (path) => require(`../../dist/src/${path}.js`);
const { createDataSource } = load('database/data-source');
const { Database, firstIdAt } = load('database/index');
const { LogFoldsRepository } = load('assignments/fold/log-folds.repository');
const { monthStart } = load('assignments/months/month');
const { ENTITIES } = load('entities');

export const ACCOUNT = '00000000-0000-7000-8000-000000000001';
const ROUTERS = 18;
const USERS = 200;
const YEARS = 5;

export const routerId = (n) => `00000000-0000-7000-8000-0000000001${String(n).padStart(2, '0')}`;
export const userEmail = (n) => `user${n}@bench.test`;

const at = (n) => `now() - interval '1 minute' - ($4 - (${n})) * interval '${YEARS} years' / $4`;

/** Entries without traces, half of them of one router, two of each record, which was made just before. */
const ENTRIES = `INSERT INTO assignments (account_id, id, router_id, object_type, object_id, user_email, reason, message, created_at)
  SELECT $1, uuid_v7(at), ($2::uuid[])[1 + CASE n % 2 WHEN 0 THEN 0 ELSE n / 2 % ${ROUTERS} END], 'contacts',
    (lpad(to_hex(floor(extract(epoch FROM made) * 1000)::bigint), 12, '0') || '70008' || lpad(to_hex(n / 2), 15, '0'))::uuid,
    ($3::text[])[1 + n / 7 % ${USERS}], 'round_robin', 'The object was successfully assigned',
    date_trunc('milliseconds', at)
  FROM generate_series(1, $4::int) AS n
  CROSS JOIN LATERAL (SELECT ${at('n')} AS at, ${at('n / 2 * 2 - 1')} AS made) AS t`;

/** @param months number of months with a partition; 0: one table that is not divided */
export async function makeLog(url, { months, size }) {
  const dataSource = await createDataSource({
    url,
    poolSize: 3,
    entities: ENTITIES,
    unlimited: true,
  }).initialize();
  await dataSource.runMigrations();
  if (months === 0) await dataSource.query(WHOLE);
  await withClient(url, async (client) => {
    if (months > 0) await divide(client, months);
    const routers = Array.from({ length: ROUTERS }, (_, n) => routerId(n));
    const users = Array.from({ length: USERS }, (_, n) => userEmail(n));
    await client.query(ENTRIES, [ACCOUNT, routers, users, size]);
  });
  const database = new Database(dataSource);
  const folds = new LogFoldsRepository();
  const fold = () =>
    database.transaction((tx) => folds.fold(tx, { accountId: ACCOUNT }, { settled: new Date() }), {
      long: true,
    });
  while (await fold());
  await dataSource.destroy();
  await withClient(url, (client) => client.query('VACUUM ANALYZE'));
}

/** The tables as if they were not divided. */
const WHOLE = ['assignments', 'assignment_traces']
  .map(
    (name) =>
      `CREATE TABLE whole (LIKE ${name} INCLUDING INDEXES); DROP TABLE ${name}; ALTER TABLE whole RENAME TO ${name}`,
  )
  .join(';');

/** Divides the empty log: a partition for each of the last months, and the first for what is before them. */
async function divide(client, months) {
  const start = (later) => monthStart(new Date(), later);
  for (const name of ['assignments', 'assignment_traces']) {
    const create = (part, from, to) =>
      client.query(`CREATE TABLE ${name}_${part} PARTITION OF ${name} FOR VALUES FROM (${from}) TO (${to})`);
    await client.query(`DROP TABLE ${name}_first, ${name}_later`);
    await create('first', 'MINVALUE', `'${start(1 - months)}'`);
    for (let n = 1 - months; n < 1; n++)
      await create(`month_${n + months}`, `'${start(n)}'`, `'${start(n + 1)}'`);
    await create('later', `'${start(1)}'`, 'MAXVALUE');
  }
}
