import { requestLock, type Statement } from '../database/index.js';

/** For how long an answer is kept. */
const KEPT = "interval '24 hours'";

/** $1 account, $2 client, $3 key. Whether nobody else does a request with that key at the moment. */
export const LOCK_REQUEST: Statement = {
  name: 'idempotency_lock_request',
  text: `SELECT pg_try_advisory_xact_lock(${requestLock('$1', '$2', '$3')}) AS locked`,
};

/** $1 account, $2 client, $3 key. */
export const FIND_ANSWER: Statement = {
  name: 'idempotency_find_answer',
  text: `SELECT digest, status, headers, body FROM idempotency_keys
    WHERE account_id = $1 AND client_id = $2 AND key = $3 AND created_at > now() - ${KEPT}`,
};

/**
 * $1 account, $2 client, $3 key, $4 digest, $5 status, $6 headers, $7 body. Replaces an answer that is old.
 */
export const KEEP_ANSWER: Statement = {
  name: 'idempotency_keep_answer',
  text: `INSERT INTO idempotency_keys (account_id, client_id, key, digest, status, headers, body, created_at)
    VALUES ($1, $2, $3, $4, $5, $6::jsonb, $7, now())
    ON CONFLICT (account_id, client_id, key) DO UPDATE SET
      digest = EXCLUDED.digest, status = EXCLUDED.status, headers = EXCLUDED.headers, body = EXCLUDED.body,
      created_at = EXCLUDED.created_at`,
};

/** $1 most. Drops answers that are old, the oldest first. */
export const DROP_OLD: Statement = {
  name: 'idempotency_drop_old',
  text: `WITH old AS (
      SELECT account_id, client_id, key FROM idempotency_keys WHERE created_at <= now() - ${KEPT}
      ORDER BY created_at LIMIT $1 FOR UPDATE SKIP LOCKED
    )
    DELETE FROM idempotency_keys k USING old
      WHERE k.account_id = old.account_id AND k.client_id = old.client_id AND k.key = old.key
      RETURNING k.key`,
};
