import { Injectable } from '@nestjs/common';
import { atAccount } from '../accounts/index.js';
import type { ClientContext } from '../auth/index.js';
import { onCluster, requestLock, type Database, type Transaction } from '../database/index.js';

/** For how long an answer is kept. */
const KEPT = "interval '24 hours'";

/**
 * $1 account, $2 client, $3 key. Whether nobody else does a request with that key at the moment. The node
 * that has the account takes the lock.
 */
const LOCK_REQUEST = {
  name: 'idempotency_lock_request',
  text: `SELECT pg_try_advisory_xact_lock(${requestLock('$1::uuid', '$2', '$3')}) AS locked ${atAccount('$1')}`,
};

/** $1 account, $2 client, $3 key. */
const FIND_ANSWER = {
  name: 'idempotency_find_answer',
  text: `SELECT digest, status, headers, body FROM idempotency_keys
    WHERE account_id = $1 AND client_id = $2 AND key = $3 AND created_at > now() - ${KEPT}`,
};

/**
 * $1 account, $2 client, $3 key, $4 digest, $5 status, $6 headers, $7 body. Replaces an answer that is old.
 */
const KEEP_ANSWER = {
  name: 'idempotency_keep_answer',
  text: `INSERT INTO idempotency_keys (account_id, client_id, key, digest, status, headers, body, created_at)
    VALUES ($1, $2, $3, $4, $5, $6::jsonb, $7, now())
    ON CONFLICT (account_id, client_id, key) DO UPDATE SET
      digest = EXCLUDED.digest, status = EXCLUDED.status, headers = EXCLUDED.headers, body = EXCLUDED.body,
      created_at = EXCLUDED.created_at`,
};

const IS_OLD = `created_at <= now() - ${KEPT}`;

/** The accounts with answers that are old. */
const FIND_OLD = {
  name: 'idempotency_find_old',
  text: `SELECT DISTINCT account_id AS "accountId" FROM idempotency_keys WHERE ${IS_OLD}`,
};

/** $1 most, $2 an account, for a cluster. Drops answers that are old, the oldest first. */
const DROP_OLD = {
  name: 'idempotency_drop_old',
  text: `WITH old AS (
      SELECT account_id, client_id, key FROM idempotency_keys WHERE ${onCluster('account_id = $2 AND')} ${IS_OLD}
      ORDER BY created_at LIMIT $1 FOR UPDATE SKIP LOCKED
    )
    DELETE FROM idempotency_keys k USING old
      WHERE ${onCluster('k.account_id = $2 AND')} k.account_id = old.account_id AND k.client_id = old.client_id
        AND k.key = old.key
      RETURNING k.key`,
};

/** An answer that is given again to the same request. */
export interface KeptAnswer {
  /** SHA-256 of the request. */
  readonly digest: Buffer;
  readonly status: number;
  /** `Location` and `ETag`, where the answer has them. */
  readonly headers: Readonly<Record<string, string>>;
  /** JSON. */
  readonly body: string;
}

/** Reads and writes the answers to requests with idempotency keys. */
@Injectable()
export class IdempotencyRepository {
  /** Keeps others from doing a request with the key meanwhile. @returns false where somebody does one */
  async lock(tx: Transaction, { accountId, clientId }: ClientContext, key: string): Promise<boolean> {
    const [row] = await tx.query<{ locked: boolean }>(LOCK_REQUEST, [accountId, clientId, key]);
    return row?.locked === true;
  }

  /** Returns the answer to an earlier request with the key. */
  async find(
    tx: Transaction,
    { accountId, clientId }: ClientContext,
    key: string,
  ): Promise<KeptAnswer | undefined> {
    const [row] = await tx.query<KeptAnswer>(FIND_ANSWER, [accountId, clientId, key]);
    return row;
  }

  /** Keeps the answer to a request. */
  async keep(
    tx: Transaction,
    { accountId, clientId }: ClientContext,
    { key, digest, status, headers, body }: KeptAnswer & { readonly key: string },
  ): Promise<void> {
    const values = [accountId, clientId, key, digest, status, JSON.stringify(headers), body];
    await tx.query(KEEP_ANSWER, values);
  }

  /** Drops answers older than 24 hours. @returns how many */
  async dropOld(db: Database, limit: number): Promise<number> {
    return (await db.sweep(DROP_OLD, [limit], [FIND_OLD])).length;
  }
}
