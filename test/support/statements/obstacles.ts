import { onClusterAlone } from '../../../src/database/cluster-form.js';
import { atKey, unknownWhenPlanned } from '../../../src/database/index.js';

const HIDDEN = `SELECT counter, n FROM record_counts WHERE account_id = ${unknownWhenPlanned('$1::uuid')}`;
const BOUNDS = `SELECT id FROM records WHERE ${atKey(['account_id', 'object_type', 'id'], ['$1', '$2', '$3'])}`;
const RECORD = 'records r WHERE r.account_id = $1';

/**
 * What stood in the way of Citus: what it is, the rules that find it, a statement that has it, and one like
 * it that reaches one shard. `earlier_iso_utc` is STABLE, and `earlier_count_of` reads a table.
 */
export const OBSTACLES: readonly (readonly [
  what: string,
  rules: readonly string[],
  refused: string,
  accepted: string,
])[] = [
  [
    'a plan that is made before the account is known',
    ['plan'],
    `BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL lock_timeout = '4s'; SET LOCAL plan_cache_mode = 'force_generic_plan'`,
    `BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL lock_timeout = '4s'; SET LOCAL plan_cache_mode = 'auto'`,
  ],
  ['an account that hides in a sub-select', ['account'], HIDDEN, onClusterAlone(HIDDEN)],
  ['bounds of a row instead of an equality', ['account'], BOUNDS, onClusterAlone(BOUNDS)],
  [
    'a table without the account of the others',
    ['account'],
    `SELECT u.name FROM records r JOIN users u ON u.email = r.owner WHERE r.account_id = $1`,
    `SELECT u.name FROM records r JOIN users u ON u.account_id = r.account_id AND u.email = r.owner WHERE r.account_id = $1`,
  ],
  [
    'an outer join whose condition tells of the other side',
    ['account'],
    `SELECT u.name FROM records r LEFT JOIN users u ON u.account_id = r.account_id AND r.account_id = $1`,
    `SELECT u.name FROM records r LEFT JOIN users u USING (account_id) WHERE account_id = $1`,
  ],
  [
    'tables of two accounts',
    ['account'],
    `SELECT u.name FROM records r JOIN users u ON u.account_id = $2 WHERE r.account_id = $1`,
    `SELECT u.name FROM records r JOIN users u ON u.account_id = $1 WHERE r.account_id = $1`,
  ],
  [
    'accounts of an array',
    ['account'],
    `SELECT r.id FROM unnest($1::uuid[]) AS given (account_id) JOIN records r USING (account_id)`,
    `SELECT r.id FROM (SELECT $1::uuid AS account_id) AS given JOIN records r USING (account_id)`,
  ],
  [
    'an account that a list of them may be',
    ['account'],
    `SELECT id FROM records WHERE account_id = ANY ($1::uuid[])`,
    `SELECT id FROM records WHERE account_id = $1 AND id = $2 OR account_id = $3 AND id = $4`,
  ],
  [
    'the account of the query around a scalar sub-select',
    ['account'],
    `SELECT (SELECT u.name FROM users u WHERE u.account_id = r.account_id AND u.email = r.owner) FROM ${RECORD}`,
    `SELECT (SELECT u.name FROM users u WHERE u.account_id = $1 AND u.email = r.owner) FROM ${RECORD}`,
  ],
  [
    'the account of the query around a LATERAL with LIMIT',
    ['account'],
    `SELECT l.id FROM users u CROSS JOIN LATERAL (SELECT r.id FROM records r
      WHERE r.account_id = u.account_id AND r.owner = u.email ORDER BY r.id LIMIT 1) AS l WHERE u.account_id = $1`,
    `SELECT l.id FROM (SELECT $1::uuid AS account_id, email FROM unnest($2::text[]) AS email) AS given
      CROSS JOIN LATERAL (SELECT r.id FROM records r
      WHERE r.account_id = given.account_id AND r.owner = given.email ORDER BY r.id LIMIT 1) AS l`,
  ],
  [
    'the account of the query around EXISTS, under OR',
    ['account'],
    `SELECT r.id FROM ${RECORD} AND (r.id = $2 OR EXISTS (SELECT FROM users u WHERE u.account_id = r.account_id))`,
    `SELECT r.id FROM ${RECORD} AND NOT EXISTS (SELECT FROM users u WHERE u.account_id = r.account_id)`,
  ],
  [
    'the account of a query of WITH that stands for itself',
    ['account'],
    `WITH u AS MATERIALIZED (SELECT * FROM users WHERE account_id = $1) SELECT r.id FROM u JOIN records r USING (account_id)`,
    `WITH u AS (SELECT * FROM users WHERE account_id = $1) SELECT r.id FROM u JOIN records r USING (account_id)`,
  ],
  [
    'what is around a sub-select with LIMIT',
    ['account'],
    `SELECT * FROM (SELECT * FROM users ORDER BY id LIMIT 5) u WHERE u.account_id = $1`,
    `SELECT * FROM (SELECT account_id, count(*) FROM users GROUP BY 1 UNION ALL SELECT id, 0 FROM accounts) u WHERE u.account_id = $1`,
  ],
  [
    'a look-up by client id',
    ['account'],
    `SELECT c.secret_hash FROM api_clients c JOIN accounts a ON a.id = c.account_id WHERE c.id = $1`,
    `SELECT c.secret_hash FROM api_clients c JOIN accounts a ON a.id = c.account_id WHERE c.id = $1 AND a.id = $2`,
  ],
  [
    'a look-up by slug, as TypeORM has it',
    ['account'],
    `SELECT "AccountEntity"."id" AS "AccountEntity_id" FROM "accounts" "AccountEntity" WHERE (("AccountEntity"."slug" = $1)) LIMIT 1`,
    `SELECT "AccountEntity"."id" AS "AccountEntity_id" FROM "accounts" "AccountEntity" WHERE (("AccountEntity"."id" = $1)) LIMIT 1`,
  ],
  [
    'the fold of the counts of all accounts',
    ['account', 'lock', 'steps'],
    `WITH change AS (
      DELETE FROM record_count_changes WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM record_count_changes LIMIT $1 FOR UPDATE SKIP LOCKED))
      RETURNING account_id, object_type, counter, owner, n
    ), folded AS (
      INSERT INTO record_counts AS c (account_id, object_type, counter, owner, n)
      SELECT account_id, object_type, counter, owner, sum(n) FROM change GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4
      ON CONFLICT ON CONSTRAINT record_counts_pkey DO UPDATE SET n = c.n + excluded.n
    )
    SELECT count(*)::int AS folded FROM change`,
    `DELETE FROM record_count_changes WHERE account_id = $2 AND ctid = ANY (ARRAY(
        SELECT ctid FROM record_count_changes WHERE account_id = $2 LIMIT $1 FOR UPDATE SKIP LOCKED))
      RETURNING account_id, object_type, counter, owner, n`,
  ],
  [
    'the sweep of the kept answers of all accounts',
    ['account', 'lock'],
    `WITH old AS (
      SELECT account_id, client_id, key FROM idempotency_keys WHERE created_at <= now() - interval '24 hours'
      ORDER BY created_at LIMIT $1 FOR UPDATE SKIP LOCKED
    )
    DELETE FROM idempotency_keys k USING old
      WHERE k.account_id = old.account_id AND k.client_id = old.client_id AND k.key = old.key RETURNING k.key`,
    `WITH old AS (
      SELECT client_id, key FROM idempotency_keys WHERE account_id = $2 AND created_at <= now() - interval '24 hours'
      ORDER BY created_at LIMIT $1 FOR UPDATE SKIP LOCKED
    )
    DELETE FROM idempotency_keys k USING old
      WHERE k.account_id = $2 AND k.client_id = old.client_id AND k.key = old.key RETURNING k.key`,
  ],
  [
    'a STABLE function over a column in SET',
    ['function'],
    `UPDATE records r SET fields = jsonb_set(r.fields, '{changed}', to_jsonb(earlier_iso_utc(r.updated_at))) WHERE r.account_id = $1`,
    `UPDATE records r SET fields = jsonb_set(r.fields, '{changed}', to_jsonb(earlier_iso_utc($2))) WHERE r.account_id = $1`,
  ],
  [
    'an operator that is STABLE over a column',
    ['function'],
    `UPDATE records SET updated_at = greatest($2, updated_at + interval '1 microsecond') WHERE account_id = $1`,
    `UPDATE records SET updated_at = greatest($2, updated_at, now() + interval '1 microsecond') WHERE account_id = $1`,
  ],
  [
    'a STABLE function over a column in WHERE',
    ['function'],
    `DELETE FROM api_clients WHERE account_id = $1 AND created_at + interval '1 day' < now()`,
    `DELETE FROM api_clients WHERE account_id = $1 AND created_at < now() - interval '1 day'`,
  ],
  [
    'the text of an instant, by a cast',
    ['function'],
    `UPDATE records SET archived_by = updated_at::text WHERE account_id = $1`,
    `UPDATE records SET archived_by = id::text WHERE account_id = $1`,
  ],
  [
    'a STABLE function over a column in a query that feeds an UPDATE',
    ['function'],
    `WITH changed AS (SELECT id, earlier_iso_utc(created_at) AS at FROM users WHERE account_id = $1)
      UPDATE records r SET archived_by = changed.at FROM changed WHERE r.account_id = $1 AND r.id = changed.id`,
    `WITH changed AS MATERIALIZED (SELECT id, earlier_iso_utc(created_at) AS at FROM users WHERE account_id = $1)
      UPDATE records r SET archived_by = changed.at FROM changed WHERE r.account_id = $1 AND r.id = changed.id`,
  ],
  [
    'a clock that runs, in SET',
    ['function'],
    `UPDATE api_clients SET updated_at = clock_timestamp() WHERE account_id = $1`,
    `UPDATE api_clients SET updated_at = statement_timestamp() WHERE account_id = $1`,
  ],
  [
    'a clock in CASE, as in the rotation of a secret',
    ['function'],
    `UPDATE api_clients SET previous_secret_until = CASE WHEN $2::int > 0 THEN now() + make_interval(secs => $2) END WHERE account_id = $1`,
    `UPDATE api_clients SET previous_secret_until = CASE WHEN $2::int > 0 THEN $3::timestamptz END WHERE account_id = $1`,
  ],
  [
    'what is not immutable in RETURNING',
    ['function'],
    `UPDATE records SET fields = $2 WHERE account_id = $1 RETURNING id, extract(epoch FROM updated_at)`,
    `WITH changed AS (UPDATE records SET fields = $2 WHERE account_id = $1 RETURNING id, updated_at)
      SELECT id, extract(epoch FROM updated_at) FROM changed`,
  ],
  [
    'the upsert of the counts of requests',
    ['function', 'steps'],
    `INSERT INTO request_counts AS known (account_id, subject_id, requests, ends_at)
    SELECT account_id, subject_id, requests, clock_timestamp() + make_interval(secs => left_ms / 1000.0)
    FROM unnest($1::uuid[], $2::uuid[], $3::int[], $4::int[]) AS r (account_id, subject_id, requests, left_ms)
    ORDER BY account_id, subject_id
    ON CONFLICT (account_id, subject_id) DO UPDATE SET
      requests = excluded.requests + CASE WHEN known.ends_at > clock_timestamp() THEN known.requests ELSE 0 END,
      ends_at = CASE WHEN known.ends_at > clock_timestamp() THEN known.ends_at ELSE excluded.ends_at END
    RETURNING subject_id AS "subjectId", requests`,
    `INSERT INTO request_counts AS known (account_id, subject_id, requests, ends_at) VALUES ($1, $2, $3, $4)
    ON CONFLICT (account_id, subject_id) DO UPDATE SET
      requests = excluded.requests + CASE WHEN known.ends_at > $5 THEN known.requests ELSE 0 END,
      ends_at = CASE WHEN known.ends_at > $5 THEN known.ends_at ELSE excluded.ends_at END
    RETURNING subject_id AS "subjectId", requests`,
  ],
  [
    'the update date of an upsert of TypeORM',
    ['function'],
    `INSERT INTO "teams"("account_id", "id", "name", "created_at", "updated_at") VALUES ($1, $2, $3, DEFAULT, DEFAULT)
      ON CONFLICT ("account_id", "id") DO UPDATE SET "name" = EXCLUDED."name", "updated_at" = DEFAULT`,
    `INSERT INTO "teams"("account_id", "id", "name", "created_at", "updated_at") VALUES ($1, $2, $3, DEFAULT, DEFAULT), ($4, $5, $6, DEFAULT, DEFAULT)
      ON CONFLICT ("account_id", "id") DO UPDATE SET "name" = EXCLUDED."name", "updated_at" = EXCLUDED."updated_at"`,
  ],
  [
    'an INSERT … SELECT with the account of no table',
    ['steps'],
    `INSERT INTO teams (account_id, id, name) SELECT $1, id, 'Sales' FROM unnest($2::uuid[]) AS id
      WHERE NOT EXISTS (SELECT FROM teams WHERE account_id = $1)`,
    `INSERT INTO teams (account_id, id, name) SELECT a.id, given.id, 'Sales' FROM accounts a, unnest($2::uuid[]) AS given (id)
      WHERE a.id = $1 AND NOT EXISTS (SELECT FROM teams WHERE account_id = $1)`,
  ],
  [
    'an INSERT … SELECT with a function that is volatile',
    ['function'],
    `INSERT INTO teams (account_id, id, name) SELECT id, uuid_v7(clock_timestamp()), 'Sales' FROM accounts WHERE id = $1`,
    `INSERT INTO teams (account_id, id, name) VALUES ($1, uuid_v7(clock_timestamp()), 'Sales')`,
  ],
  [
    'an INSERT in WITH, and WITH in front of an INSERT',
    ['steps'],
    `WITH used AS (DELETE FROM console_links WHERE account_id = $1 RETURNING account_id), made AS (
        INSERT INTO teams (account_id, id, name) VALUES ($1, $2, 'Sales'))
      INSERT INTO capacities (account_id, id, name) SELECT a.id, a.id, 'All' FROM accounts a WHERE a.id = $1`,
    `WITH used AS (DELETE FROM console_links WHERE account_id = $1 RETURNING account_id), made AS (
        UPDATE teams SET name = 'Sales' WHERE account_id = $1 AND id = $2)
      SELECT count(*) FROM used`,
  ],
  [
    'a sub-select in VALUES',
    ['steps'],
    `INSERT INTO teams (account_id, id, name) VALUES ($1, $2, (SELECT 'Sales' WHERE $3 > 1))`,
    `INSERT INTO teams (account_id, id, name) VALUES ($1, $2, CASE WHEN $3 > 1 THEN 'Sales' END)`,
  ],
  [
    'a function that reads a table itself',
    ['function'],
    `SELECT earlier_count_of($1)`,
    `SELECT count(*) FROM record_counts c WHERE c.account_id = $1`,
  ],
  [
    'a lock of a transaction that only one node knows',
    ['node'],
    `SELECT pg_advisory_xact_lock(hashtextextended($1, 0))`,
    `SELECT pg_advisory_xact_lock(hashtextextended($2, 0)) FROM accounts WHERE id = $1`,
  ],
  [
    'a lock of a session that only one node knows',
    ['node'],
    `SELECT pg_try_advisory_lock($1), id FROM accounts WHERE id = $2`,
    `SELECT id FROM accounts WHERE id = $1 FOR UPDATE SKIP LOCKED`,
  ],
  [
    'a sequence, whose ids have no order among nodes',
    ['node'],
    `SELECT nextval('migrations_id_seq')`,
    `SELECT uuid_v7(clock_timestamp())`,
  ],
  [
    'what became of a transaction of another node',
    ['node'],
    `SELECT pg_xact_status($1)`,
    `SELECT status FROM idempotency_keys WHERE account_id = $1 AND key = $2`,
  ],
  ['a setting of the session', ['node'], `SET search_path = extra`, `SET LOCAL search_path = extra`],
  [
    'a setting of the session, by a function',
    ['node'],
    `SELECT set_config('lock_timeout', '4s', false)`,
    `SELECT set_config('lock_timeout', '4s', true)`,
  ],
  [
    'an order by what the result has another column of',
    ['order'],
    `SELECT upper(slug) AS slug FROM accounts WHERE id = $1 ORDER BY accounts.slug`,
    `SELECT upper(slug) AS name FROM accounts WHERE id = $1 ORDER BY accounts.slug`,
  ],
  [
    'a setting that a trigger reads',
    ['node'],
    `SELECT set_config('fairlead.sweeps_audit', 'on', true)`,
    `SELECT set_config('fairlead.sweeps_audit', 'on', true) FROM accounts WHERE id = $1`,
  ],
  ['a table lock', ['node'], `LOCK TABLE records IN SHARE MODE`, `SET LOCAL lock_timeout = '4s'`],
  ['a channel', ['node'], `LISTEN changes`, `COMMIT`],
  ['a message', ['node'], `NOTIFY changes`, `ROLLBACK TO SAVEPOINT part; RELEASE SAVEPOINT part`],
  ['a cursor', ['node'], `DECLARE page CURSOR FOR SELECT 1`, `SELECT 1`],
  ['a table of the session', ['node'], `CREATE TEMP TABLE page (id uuid)`, `SELECT 'page'`],
  [
    'a write that all nodes must have',
    ['reference'],
    `INSERT INTO processes (id) VALUES ($1)`,
    `SELECT release FROM processes WHERE id = $1`,
  ],
];
