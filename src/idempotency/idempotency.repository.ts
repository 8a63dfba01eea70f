import { Injectable } from '@nestjs/common';
import type { ClientContext } from '../auth/index.js';
import type { Queryable, Transaction } from '../database/index.js';
import * as statements from './idempotency.statements.js';

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
    const [row] = await tx.query<{ locked: boolean }>(statements.LOCK_REQUEST, [accountId, clientId, key]);
    return row?.locked === true;
  }

  /** Returns the answer to an earlier request with the key. */
  async find(
    tx: Transaction,
    { accountId, clientId }: ClientContext,
    key: string,
  ): Promise<KeptAnswer | undefined> {
    const [row] = await tx.query<KeptAnswer>(statements.FIND_ANSWER, [accountId, clientId, key]);
    return row;
  }

  /** Keeps the answer to a request. */
  async keep(
    tx: Transaction,
    { accountId, clientId }: ClientContext,
    { key, digest, status, headers, body }: KeptAnswer & { readonly key: string },
  ): Promise<void> {
    const values = [accountId, clientId, key, digest, status, JSON.stringify(headers), body];
    await tx.query(statements.KEEP_ANSWER, values);
  }

  /** Drops answers older than 24 hours. @returns how many */
  async dropOld(db: Queryable, limit: number): Promise<number> {
    return (await db.query(statements.DROP_OLD, [limit])).length;
  }
}
