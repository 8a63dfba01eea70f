import { DAY_KEY, entriesByDay } from '../../../src/assignments/assignments.sql.js';
import type { RoutingAccount } from '../routing-account.js';
import { sql } from './stored-records.js';

/** People of the account who own records, and others who have entries of the log. */
const OWNERS = 100;
const ASSIGNED = 20;

/** $1 account, $2 the first number, $3 the last. Every tenth is archived. */
const RECORDS = `INSERT INTO records (account_id, object_type, id, fields, created_at, updated_at, archived_at, archived_by)
  SELECT $1, 'contacts', uuid_v7(at), jsonb_build_object('email', 'c' || i || '@x.test', 'external_id', 'crm-' || i,
      'contact_owner', 'u' || i % ${OWNERS} || '@acme.test', 'city', 'City ' || i % 500, 'tier', 'Tier ' || i % 1000,
      'plain', 'Text ' || i),
    at, at, CASE WHEN i % 10 = 0 THEN at END, CASE WHEN i % 10 = 0 THEN 'test' END
  FROM (SELECT i, now() - interval '300 days' + make_interval(mins => i) AS at FROM generate_series($2::int, $3) AS i) AS s`;

const CHANGES = `INSERT INTO record_changes (account_id, record_id, at, by_kind, changes)
  SELECT account_id, id, created_at, 'system', '{"city": [null, "Paris"]}' FROM records WHERE account_id = $1
  ON CONFLICT DO NOTHING`;

/**
 * $4 a router, $5 another one, which has a thousandth of the entries, $6 records. As many are of a rule, and
 * as many have another reason.
 */
const LOG = `WITH a AS (
    INSERT INTO assignments (account_id, id, router_id, object_type, object_id, user_id, rule, reason, message, created_at)
    SELECT $1, uuid_v7(at), CASE WHEN i % 1000 = 0 THEN $5::uuid ELSE $4::uuid END, 'contacts',
      ($6::uuid[])[1 + i % cardinality($6::uuid[])], CASE WHEN i % 1000 <> 1 THEN people.ids[1 + i % ${ASSIGNED}] END,
      CASE WHEN i % 1000 = 4 THEN 'Gold' END, CASE WHEN i % 1000 = 1 THEN 'owner_present' ELSE 'round_robin' END, 'x', at
    FROM (SELECT i, date_trunc('milliseconds', now() - interval '80 days' + make_interval(secs => i * 10)) AS at
        FROM generate_series($2::int, $3) AS i) AS s,
      (SELECT array_agg(id) AS ids FROM users WHERE account_id = $1) AS people
    RETURNING *),
  t AS (INSERT INTO assignment_traces SELECT account_id, id, '[]' FROM a)
  INSERT INTO assignment_days AS d (account_id, ${DAY_KEY}, entries)
    SELECT $1, counted.* FROM (${entriesByDay('a')}) AS counted
    ON CONFLICT ON CONSTRAINT assignment_days_pkey DO UPDATE SET entries = d.entries + excluded.entries`;

/** What the account has beside its records and its log. */
const OTHERS = [
  `INSERT INTO audit_entries (account_id, id, at, by_kind, by_name, action, object_kind, object_id, object_name, changes)
    SELECT $1, uuid_v7(at), at, 'command', 'apply', 'update', 'user', user_id, 'x', '[]'
    FROM (SELECT now() - make_interval(secs => $3 - i) AS at FROM generate_series($2::int, $3) AS i) AS s,
      (SELECT id AS user_id FROM users WHERE account_id = $1 LIMIT 1) AS u`,
  `INSERT INTO idempotency_keys (account_id, client_id, key, digest, status, headers, body, created_at)
    SELECT $1, $1, 'k' || i, '', 200, '{}', '', now() FROM generate_series($2::int, $3) AS i`,
];

/**
 * Adds records and entries of the log to an account, with what goes with them, and collects no statistics.
 * @returns ids of contacts from all parts of what was added
 */
export async function grow(
  account: RoutingAccount,
  [first, last]: readonly [number, number],
): Promise<string[]> {
  const { service } = account;
  const { accountId } = await service.account(account.slug);
  const values = [accountId, first, last];
  await sql(service, RECORDS, values);
  await sql(service, CHANGES, [accountId]);
  const found = await sql<{ id: string }>(
    service,
    `SELECT id FROM (SELECT id, row_number() OVER (ORDER BY id) AS n FROM records
        WHERE account_id = $1 AND archived_at IS NULL AND fields ? 'plain') AS r
      WHERE n % greatest(1, (($3::int - $2::int) / 600)) = 0 LIMIT 600`,
    values,
  );
  const ids = found.map(({ id }) => id);
  const routers = [await account.routerId('R'), await account.routerId('rare')];
  await sql(service, LOG, [...values, ...routers, ids]);
  for (const text of OTHERS) await sql(service, text, values);
  return ids;
}

/** A row of each account in the tables of which an account has few rows. */
const NEIGHBOURS = [
  `users (account_id, id, email, email_key) SELECT id, gen_random_uuid(), 'n@x.test', 'n@x.test'`,
  `api_clients (account_id, id, name, secret_hash, scopes) SELECT id, gen_random_uuid(), 'n', '', '{}'`,
  `routers (account_id, id, name, name_key, object_type) SELECT id, id, 'n', 'n', 'contacts'`,
  `router_versions (account_id, router_id, version, name, users, teams, published_at) SELECT id, id, 1, 'n', '[]', '[]', now()`,
  `rotations (account_id, router_id, state, updated_at) SELECT id, id, '{}', now()`,
  `teams (account_id, id, name, name_key) SELECT id, gen_random_uuid(), 'n', 'n'`,
  `capacities (account_id, id, name, object_type, field, values) SELECT id, gen_random_uuid(), 'n', 'contacts', 'city', '{}'`,
  `field_definitions (account_id, id, object_type, internal_name, label, type, position)
    SELECT id, gen_random_uuid(), 'contacts', 'n', 'n', 'string', 1`,
  `record_counts (account_id, object_type, counter, owner, n) SELECT id, 'deals', 'active', '', 0`,
  `record_counters (account_id, object_type, counter, owner_field, is_ready) SELECT id, 'contacts', 'x', 'partner', true`,
  `record_indexes (account_id, object_type, field, kind, is_ready) SELECT id, 'contacts', 'x', 'text', true`,
  `request_counts (account_id, subject_id, requests, ends_at) SELECT id, id, 1, now() + interval '1 hour'`,
];

/** Adds accounts with little of everything. */
export async function addNeighbours({ service }: RoutingAccount, count: number): Promise<void> {
  const accounts = `INSERT INTO accounts (id, slug, name)
    SELECT gen_random_uuid(), 'neighbour-' || i, 'N' FROM generate_series(1, $1::int) AS i`;
  await sql(service, accounts, [count]);
  for (const rows of NEIGHBOURS)
    await sql(service, `INSERT INTO ${rows} FROM accounts WHERE slug LIKE 'neighbour-%'`);
}
