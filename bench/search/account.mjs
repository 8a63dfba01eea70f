// The account of the search benchmark, filled by SQL in the shape in which the service writes.
import { until } from '../support/until.mjs';

const USERS = 1_000;

const EMAILS = Array.from({ length: USERS }, (_, n) => `user${n}@bench.test`);
const USER_LIST = EMAILS.map((email) => `      - { email: ${email} }`).join('\n');
const field = (name, type, more) =>
  `      - { object_type: contacts, internal_name: ${name}, type: ${type}${more} }`;

const configuration = (indexed) => `accounts:
  - slug: bench
    users:
${USER_LIST}
    fields:
${field('plan_code', 'string', indexed)}
${field('segment', 'string', indexed)}
${field('score', 'number', indexed)}
`;

/** The configuration at first, and with three indexes. */
export const CONFIGURATION = configuration('');
export const INDEXED = configuration(', indexed: true');

/** Records are created over a year in the order of their ids, and changed once in another order. */
const RECORDS = `INSERT INTO records
    (account_id, object_type, id, fields, unique_key, external_id, owner, created_at, updated_at)
  SELECT a.id, 'contacts', uuid_v7(at), jsonb_build_object(
      'first_name', 'Bench' || n % 977, 'last_name', 'Mark' || n, 'email', 'c' || n || '@bench.test', 'phone', '+1 555 ' || n,
      'job_title', 'Buyer', 'company_name', 'Company ' || n % 1000, 'city', 'City ' || n % 5000, 'external_id', 'CRM-' || n,
      'contact_owner', owner, 'contact_owner_assigned_date', iso_utc(at), 'plan_code', 'Plan ' || n % 50000, 'segment', 'S' || n % 4,
      'score', ((n * 7919::bigint % $1) / 100.0)::numeric(12, 2)::text),
    'c' || n || '@bench.test', 'CRM-' || n, owner, at, at + (n * 104729::bigint % $1) * interval '1 minute'
  FROM accounts a CROSS JOIN generate_series(1, $1::bigint) AS n
  CROSS JOIN LATERAL (SELECT now() - interval '2 years' - ($1 - n) * interval '1 year' / $1 AS at,
    'user' || n % ${USERS} || '@bench.test' AS owner) AS t
  WHERE a.slug = 'bench'`;

/** @param db of the owner of the tables */
export async function load(db, size) {
  await db.query('ALTER TABLE records DISABLE TRIGGER USER');
  await db.query(RECORDS, [size]);
  await db.query('ALTER TABLE records ENABLE TRIGGER USER');
  await db.query('VACUUM ANALYZE');
}

/** Waits until so many indexes of fields are ready. */
export async function waitForIndexes(db, count) {
  await until(async () => {
    const { rows } = await db.query('SELECT count(*)::int AS ready FROM record_indexes WHERE is_ready');
    return rows[0].ready >= count;
  });
}

/** Waits until the service has counted what was loaded, but for the last records. */
export async function waitForCounts(db, size) {
  await until(async () => {
    const { rows } = await db.query('SELECT COALESCE(sum(total), 0)::int AS counted FROM record_blocks');
    return rows[0].counted >= size - 5_000;
  });
}

/** @returns ids of some contacts */
export async function sample(db) {
  const { rows } = await db.query(
    `SELECT id FROM records WHERE random() < 2000.0 / (SELECT reltuples FROM pg_class WHERE oid = 'records'::regclass)`,
  );
  return { ids: rows.map(({ id }) => id) };
}
