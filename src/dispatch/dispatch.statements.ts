import type { Statement } from '../database/index.js';

/**
 * $1 account, $2 router. Keeps the account's configuration from changing (shared with other dispatches) and other
 * dispatches of the router out until the transaction ends. Advisory locks queue fairly and leave nothing on disk; two
 * routers whose keys collide merely wait for each other. Always in this order, so that nothing can deadlock.
 */
export const LOCK_ROUTER: Statement = {
  name: 'dispatch_lock_router',
  text: `SELECT pg_advisory_xact_lock_shared(hashtextextended('configuration', 0) # hashtextextended($1::text, 0)),
    pg_advisory_xact_lock(hashtextextended('router', 0) # hashtextextended($1::text || $2::text, 0))`,
};

/**
 * $1 account, $2 object, $3 router, $4 rotation key. All a decision needs, read after the locks are held. The record is
 * locked too, and the clock read after that, so that the assignment is later than any change it saw. One row; none for
 * an account that is gone.
 */
export const LOAD_DISPATCH: Statement = {
  name: 'dispatch_load',
  text: `WITH record AS MATERIALIZED (
      SELECT * FROM records
      WHERE account_id = $1 AND id = $2 AND object_type = ANY ('{contacts,companies,deals,tickets}')
      FOR UPDATE)
    SELECT a.config_version, r.id, r.object_type, r.fields, r.archived_at, r.created_at, r.updated_at,
      rotation.state AS rotation, date_trunc('milliseconds', clock_timestamp()) AS at
    FROM accounts a
    LEFT JOIN record r ON true
    LEFT JOIN rotations rotation
      ON rotation.account_id = a.id AND rotation.router_id = $3 AND rotation.key = $4
    WHERE a.id = $1`,
};

/** $1 account, $2 canonical host. The company whose owner a contact of that host goes to. */
export const FIND_COMPANY: Statement = {
  name: 'dispatch_find_company',
  text: `SELECT id, fields ->> 'company_owner' AS owner FROM records
    WHERE account_id = $1 AND object_type = 'companies' AND unique_key = $2 AND archived_at IS NULL`,
};

/** The log entry. $1 account, $2 router, $3 object type, $4 object, $5 user, $6 previous user, $7 reason, $8 message, $9 trace, $10 at. */
const LOG = `INSERT INTO assignments
    (account_id, id, router_id, object_type, object_id, user_email, previous_user, reason, message, trace, created_at)
  VALUES ($1, uuid_v7(clock_timestamp()), $2, $3, $4, $5, $6, $7, $8, $9::jsonb, $10)
  RETURNING id`;

/** As LOG: a run that assigned no one. */
export const LOG_RUN: Statement = { name: 'dispatch_log_run', text: LOG };

/**
 * As LOG, and $11 owner field, $12 rotation key, $13 new rotation state or null. The owner and its assigned date, the
 * rotation and the log entry in one statement.
 */
export const ASSIGN: Statement = {
  name: 'dispatch_assign',
  text: `WITH owned AS (
      UPDATE records SET
        fields = fields || jsonb_build_object($11::text, $5::text, $11::text || '_assigned_date', iso_utc($10)),
        updated_at = $10
      WHERE account_id = $1 AND object_type = $3 AND id = $4),
    rotated AS (
      INSERT INTO rotations (account_id, router_id, key, state, updated_at)
      SELECT $1, $2, $12::text, $13::jsonb, $10 WHERE $13::jsonb IS NOT NULL
      ON CONFLICT (account_id, router_id, key)
        DO UPDATE SET state = excluded.state, updated_at = excluded.updated_at)
    ${LOG}`,
};
