// Fills an account with records and log entries by SQL, in the shape that the service writes.

/** Milliseconds over which the rows are spread, the last of them a minute ago. */
const SPREAD = 24 * 60 * 60 * 1000;

const ID_AT = (rows) =>
  `uuid_v7(now() - interval '1 minute' - (${rows} - n) * interval '1 ms' * (${SPREAD}::float8 / ${rows}))`;

const RECORDS = (rows) => `INSERT INTO records
    (account_id, object_type, id, fields, created_at, updated_at)
  SELECT $1, 'contacts', ${ID_AT(rows)}, jsonb_build_object('first_name', 'Ada', 'last_name', 'Byron ' || n,
      'email', 'c' || n || '@bench.test', 'contact_owner', 'user' || n % $2 || '@bench.test',
      'phone', '+44 20 7946 ' || n, 'mobile', '+44 7700 ' || n, 'job_title', 'Head of sales', 'city', 'London',
      'state', 'England', 'country', 'GB', 'address', n || ' St James''s Square', 'zip', 'SW1Y ' || n % 10,
      'website', 'https://c' || n || '.bench.test', 'lifecycle_stage', 'lead',
      'lead_source', (ARRAY['website', 'event', 'referral'])[1 + n % 3]), now(), now()
  FROM generate_series(1, ${rows}) n`;

/** `fairlead check` counts them. */
const LOG = (rows) => `INSERT INTO assignments
    (account_id, id, router_id, object_type, object_id, user_id, reason, message, created_at)
  SELECT $1, ${ID_AT(rows)}, ($3::uuid[])[CASE WHEN n % 2 = 0 THEN 1 ELSE 1 + n % array_length($3::uuid[], 1) END],
    'contacts', ($4::uuid[])[1 + n % array_length($4::uuid[], 1)], md5((n % $2)::text)::uuid, 'assigned',
    'Assigned', now() - interval '1 minute'
  FROM generate_series(1, ${rows}) n`;

/**
 * Loads records, then log entries: half of these for the first router. Counts are not kept meanwhile:
 * `fairlead check` and the service count what has been loaded.
 * @param client of the owner of the tables
 * @returns ids of 10,000 of the records at most
 */
export async function loadAccount(client, { account, records, entries, users, routers }) {
  await client.query('ALTER TABLE records DISABLE TRIGGER USER');
  await client.query(RECORDS(records), [account, users]);
  await client.query('ALTER TABLE records ENABLE TRIGGER USER');
  const every = Math.max(1, Math.floor(records / 10_000));
  const { rows } = await client.query(
    `SELECT id FROM (SELECT id, row_number() OVER (ORDER BY id) AS n FROM records WHERE account_id = $1) AS r
      WHERE n % $2 = 0 LIMIT 10000`,
    [account, every],
  );
  const ids = rows.map(({ id }) => id);
  if (entries > 0) await client.query(LOG(entries), [account, users, routers, ids]);
  return ids;
}
