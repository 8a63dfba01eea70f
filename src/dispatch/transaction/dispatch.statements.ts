import type { Statement } from '../../database/index.js';

/**
 * $1 account, $2 router. Keeps the account's configuration from changing (shared with other dispatches) and other
 * dispatches of the router out until the transaction ends. Advisory locks queue fairly and leave nothing on disk; two
 * routers whose keys collide merely wait for each other. Always in this order, so that nothing can deadlock.
 *
 * Until then statements are run by the plan made for all their values: for the few records of a dispatch PostgreSQL would
 * make a new one each time, which takes as long as running it. And that plan reads by index even where it was made while
 * a table was small: everything a dispatch reads has one.
 */
export const LOCK_ROUTER: Statement = {
  name: 'dispatch_lock_router',
  text: `SELECT pg_advisory_xact_lock_shared(hashtextextended('configuration', 0) # hashtextextended($1::text, 0)),
    pg_advisory_xact_lock(hashtextextended('router', 0) # hashtextextended($1::text || $2::text, 0)),
    set_config('plan_cache_mode', 'force_generic_plan', true), set_config('enable_seqscan', 'off', true)`,
};

const OBJECTS = `SELECT * FROM records
  WHERE account_id = $1 AND id = ANY ($2::uuid[])
    AND object_type = ANY ('{contacts,companies,deals,tickets}')
  ORDER BY id`;

const load = (name: string, lock: string): Statement => ({
  name,
  text: `WITH record AS MATERIALIZED (${OBJECTS} ${lock})
    SELECT a.config_version, r.id, r.object_type, r.fields, r.archived_at, r.created_at, r.updated_at,
      CASE WHEN row_number() OVER () = 1 THEN rotation.state END AS rotation,
      date_trunc('milliseconds', clock_timestamp()) AS at
    FROM accounts a
    LEFT JOIN rotations rotation
      ON rotation.account_id = a.id AND rotation.router_id = $3 AND rotation.key = ''
    LEFT JOIN record r ON true
    WHERE a.id = $1`,
});

/**
 * $1 account, $2 objects, $3 router. All that decisions need, read after the locks are held: a row for each record that
 * exists, or one without a record; the router's own rotation in the first row. The records are locked too, in the order of their
 * ids, and the clock is read after that, so that an assignment is later than any change it saw.
 */
export const LOAD_DISPATCH = load('dispatch_load', 'FOR UPDATE');

/** As LOAD_DISPATCH, for a look that changes nothing and waits for nobody. */
export const PEEK_DISPATCH = load('dispatch_peek', '');

/** $1 account, $2 canonical hosts. Companies whose owners contacts of those hosts go to. */
export const FIND_COMPANIES: Statement = {
  name: 'dispatch_find_companies',
  text: `SELECT unique_key AS host, id, fields ->> 'company_owner' AS owner FROM records
    WHERE account_id = $1 AND object_type = 'companies' AND unique_key = ANY ($2::text[]) AND archived_at IS NULL`,
};

/**
 * Runs of one router, written together: owners and their assigned dates, the rotation, and the log.
 * $1 account, $2 router, $3 object type, $4 owner field, $5 runs as a JSON array in the order they were decided (n,
 * object_id, user, previous_user, reason, message, trace, turn), $6 instant, $7 new rotation states as a JSON
 * array (key, state), $8 whether the owner field is the type's own, $9 the objects
 * again: without them PostgreSQL, which cannot tell how few runs there are, reads all records of the type. The ids of the log sort in the order of the decisions.
 */
export const WRITE_RUNS: Statement = {
  name: 'dispatch_write_runs',
  text: `WITH run AS MATERIALIZED (
      SELECT * FROM jsonb_to_recordset($5::jsonb) AS run
        (n int, object_id uuid, "user" text, previous_user text, reason text, message text, trace jsonb, turn jsonb)),
    owned AS (
      UPDATE records r SET
        fields = r.fields || jsonb_build_object($4::text, run."user", $4::text || '_assigned_date', iso_utc($6)),
        owner = CASE WHEN $8 THEN run."user" ELSE r.owner END,
        updated_at = $6
      FROM run
      WHERE run."user" IS NOT NULL AND r.account_id = $1 AND r.object_type = $3
        AND r.id = ANY ($9::uuid[]) AND r.id = run.object_id),
    rotated AS (
      INSERT INTO rotations (account_id, router_id, key, state, updated_at)
      SELECT $1, $2, rotation.key, rotation.state, $6
      FROM jsonb_to_recordset($7::jsonb) AS rotation (key text, state jsonb)
      ON CONFLICT (account_id, router_id, key) DO UPDATE SET state = excluded.state, updated_at = excluded.updated_at)
    INSERT INTO assignments
      (account_id, id, router_id, object_type, object_id, user_email, previous_user, reason, message, trace, turn,
       created_at)
    SELECT $1, uuid_v7(clock_timestamp() + run.n * interval '1 microsecond'), $2, $3, run.object_id, run."user",
      run.previous_user, run.reason, run.message, run.trace, run.turn, $6
    FROM run ORDER BY run.n
    RETURNING id, object_id`,
};

/** $1 account, $2 router, $3 keys of rotations. */
export const LOAD_ROTATIONS: Statement = {
  name: 'dispatch_load_rotations',
  text: 'SELECT key, state FROM rotations WHERE account_id = $1 AND router_id = $2 AND key = ANY ($3::text[])',
};

/**
 * $1 account, $2 object, $3 routers. The last run of these that assigned the record, if the turn it gave has not been made up for: found
 * without locks, to know which router to lock.
 */
export const FIND_LAST_TURN: Statement = {
  name: 'dispatch_find_last_turn',
  text: `SELECT last.id, last.router_id, last.user_email, last.turn, last.created_at
    FROM (SELECT * FROM assignments
      WHERE account_id = $1 AND object_id = $2 AND router_id = ANY ($3::uuid[]) AND user_email IS NOT NULL
      ORDER BY id DESC LIMIT 1) AS last
    WHERE last.turn IS NOT NULL`,
};

/** $1 account, $2 assignment. A turn is made up for once. */
export const SPEND_TURN: Statement = {
  name: 'dispatch_spend_turn',
  text: 'UPDATE assignments SET turn = NULL WHERE account_id = $1 AND id = $2 AND turn IS NOT NULL RETURNING id',
};

/** $1 account, $2 router, $3 key, $4 state. */
export const MOVE_ROTATION: Statement = {
  name: 'dispatch_move_rotation',
  text: `UPDATE rotations SET state = $4::jsonb, updated_at = statement_timestamp()
    WHERE account_id = $1 AND router_id = $2 AND key = $3`,
};

/** $1 account, $2 object type, $3 object, $4 owner field. The owner of an active record, which stays locked. */
export const LOCK_OWNER: Statement = {
  name: 'dispatch_lock_owner',
  text: `SELECT fields ->> $4 AS owner FROM records
    WHERE account_id = $1 AND object_type = $2 AND id = $3 AND archived_at IS NULL FOR UPDATE`,
};
