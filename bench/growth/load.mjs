// Fills an account by SQL, in the shape in which the service writes.
import { setTimeout as delay } from 'node:timers/promises';
import { withClient } from '../support/with-client.mjs';
import { FREE, LIMITED, TIERS } from './configuration.mjs';

const MOST_RUNS = 1_000_000;

/** Records are created over the last year, in the order of their ids. */
const createdAt = (count) => `now() - interval '1 day' - (${count} - n) * interval '1 year' / ${count}`;

const CONTACTS = (count) => `INSERT INTO records
    (account_id, object_type, id, fields, created_at, updated_at)
  SELECT $1::uuid, 'contacts', uuid_v7(at), jsonb_build_object(
      'first_name', 'Bench' || n % 977, 'last_name', 'Mark' || n, 'email', email, 'phone', '+1 555 ' || n,
      'job_title', 'Buyer', 'company_name', 'Company ' || n % 1000, 'website_url', 'company' || n % 1000 || '.test',
      'country', 'US', 'state', 'CA', 'city', 'City ' || n % 5000, 'contact_owner', owner,
      'contact_owner_assigned_date', iso_utc(at), 'partner', ($2::text[])[1 + (n / 7) % 100],
      'tier', ($3::text[])[1 + n % 4], 'notes', 'Met at the fair, wants a call next week. No. ' || n), at, at
  FROM generate_series(1, ${count}) AS n
  CROSS JOIN LATERAL (SELECT ${createdAt(count)} AS at, ($2::text[])[1 + n % 100] AS owner,
    'c' || n || '@company' || n % 1000 || '.test' AS email) AS t`;

const COMPANIES = (count) => `INSERT INTO records
    (account_id, object_type, id, fields, created_at, updated_at)
  SELECT $1::uuid, 'companies', uuid_v7(at), jsonb_build_object('company_name', 'Company ' || n, 'website_url', host,
      'company_owner', owner, 'company_owner_assigned_date', iso_utc(at)), at, at
  FROM generate_series(1, ${count}) AS n
  CROSS JOIN LATERAL (SELECT ${createdAt(count)} AS at, ($2::text[])[1 + n % 100] AS owner,
    'company' || n - 1 || '.test' AS host) AS t`;

/** The log of the last 40 days, with the trace of a run that there is. */
const RUNS = (count) => `WITH entry AS (INSERT INTO assignments
    (account_id, id, router_id, object_type, object_id, user_id, reason, message, rotation, created_at)
  SELECT run.account_id, uuid_v7(at), ($3::uuid[])[1 + n % cardinality($3::uuid[])], 'contacts', run.object_id,
    people.ids[1 + n % cardinality(people.ids)], run.reason, run.message, run.rotation, date_trunc('milliseconds', at)
  FROM (SELECT * FROM assignments WHERE account_id = $1 ORDER BY id LIMIT 1) AS run
  CROSS JOIN (SELECT array_agg(id ORDER BY email) AS ids FROM users WHERE account_id = $1 AND email = ANY ($2)) AS people
  CROSS JOIN generate_series(1, ${count}) AS n
  CROSS JOIN LATERAL (SELECT now() - interval '10 minutes' - (${count} - n) * interval '40 days' / ${count} AS at) AS t
  RETURNING account_id, id)
  INSERT INTO assignment_traces SELECT entry.account_id, entry.id, run.trace
  FROM entry, (SELECT trace FROM assignment_traces WHERE account_id = $1 ORDER BY id LIMIT 1) AS run`;

/** The counts of the log by day and of all days. An id begins with its milliseconds. */
const DAYS = `INSERT INTO assignment_days (account_id, day, router_id, rule, step, user_id, reason, entries)
  SELECT account_id, COALESCE(day, 'infinity'), router_id, '', 0, user_id, reason, count(*)
  FROM assignments CROSS JOIN LATERAL (SELECT
    date '1970-01-01' + (('x' || left(translate(id::text, '-', ''), 12))::bit(48)::bigint / 86400000)::int AS day) AS at
  WHERE account_id = $1
  GROUP BY GROUPING SETS ((account_id, day, router_id, user_id, reason), (account_id, router_id, user_id, reason))
  ON CONFLICT ON CONSTRAINT assignment_days_pkey DO UPDATE SET entries = excluded.entries`;

/** The counts of active records, and of each owner's. */
const COUNTS = `INSERT INTO record_counts (account_id, object_type, counter, owner, n)
  SELECT account_id, object_type, 'active', '', count(*) FROM records WHERE account_id = $1 GROUP BY 1, 2
  UNION ALL
  SELECT account_id, object_type, 'owner', owner, count(*) FROM records
    WHERE account_id = $1 AND owner IS NOT NULL GROUP BY 1, 2, 4
  ON CONFLICT ON CONSTRAINT record_counts_pkey DO UPDATE SET n = excluded.n`;

/** @param routers their ids */
export async function load(url, size, routers) {
  await withClient(url, async (client) => {
    const [{ id }] = (await client.query(`SELECT id FROM accounts WHERE slug = 'bench'`)).rows;
    await client.query('ALTER TABLE records DISABLE TRIGGER USER');
    await client.query(CONTACTS(size), [id, FREE, TIERS]);
    await client.query(COMPANIES(Math.min(size, 100_000)), [id, FREE]);
    await client.query('ALTER TABLE records ENABLE TRIGGER USER');
    await client.query(COUNTS, [id]);
    await client.query(RUNS(Math.min(size, MOST_RUNS)), [
      id,
      [...FREE, ...Object.values(LIMITED).flat()],
      routers,
    ]);
    await client.query(DAYS, [id]);
    // They were ready for the account without these records. The service completes them.
    await client.query('UPDATE record_counters SET is_ready = false');
    await client.query('VACUUM ANALYZE');
  });
}

/** Asks twice a second. */
async function until(isDone) {
  while (!(await isDone())) await delay(500);
}

/** Waits until the service keeps the counters that the configuration needs. */
export async function waitForCounters(url) {
  await withClient(url, (client) => until(async () => areReady(client)));
}

/** Waits until the service has counted what was loaded. @returns the seconds that it took */
export async function waitForCounts(url) {
  const started = performance.now();
  await withClient(url, async (client) => {
    const isDone = async () => {
      const { rows } = await client.query('SELECT count(*)::int AS changes FROM record_count_changes');
      return (await areReady(client)) && rows[0].changes === 0;
    };
    await until(isDone);
  });
  return (performance.now() - started) / 1_000;
}

async function areReady(client) {
  const { rows } = await client.query(
    'SELECT count(*)::int AS counters, count(*) FILTER (WHERE NOT is_ready)::int AS new FROM record_counters',
  );
  return rows[0].counters > 0 && rows[0].new === 0;
}

/** @returns ids of contacts of each tier, from all parts of the account */
export async function contactsByTier(url, count) {
  return withClient(url, async (client) => {
    const { rows } = await client.query(
      `SELECT fields ->> 'tier' AS tier, array_agg(id) AS ids FROM records
        WHERE object_type = 'contacts' AND fields ? 'tier'
          AND random() < $1::float8 / (SELECT reltuples FROM pg_class WHERE oid = 'records'::regclass) GROUP BY 1`,
      [count * TIERS.length],
    );
    return new Map(rows.map(({ tier, ids }) => [tier, ids]));
  });
}
