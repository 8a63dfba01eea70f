import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { IsNull } from 'typeorm';
import { ACTIVE_ACCOUNTS, AccountsRepository, type AccountContext } from '../accounts/index.js';
import type { Database, EntityReader, Queryable, Transaction } from '../database/index.js';
import { ApiClientEntity } from './api-client.entity.js';
import type { Scope } from './scope.js';

/** The name of a client, revoked or not; null for an unknown one. */
export const clientName = (account: string, id: string): string =>
  `(SELECT client.name FROM api_clients client WHERE client.account_id = ${account} AND client.id = ${id})`;

/** The part of a client that authentication reads. */
export interface ClientStatus {
  readonly accountId: string;
  readonly secretHash: Buffer;
  /** The hash of the secret before, where it still works. */
  readonly previousHash: Buffer | null;
  readonly scopes: readonly Scope[];
}

const FIND_ACTIVE = {
  name: 'api_client_find_active',
  text: `SELECT c.account_id AS "accountId", c.secret_hash AS "secretHash", c.scopes,
      CASE WHEN c.previous_secret_until > now() THEN c.previous_secret_hash END AS "previousHash"
    FROM api_clients c JOIN (${ACTIVE_ACCOUNTS}) account ON account.id = c.account_id
    WHERE c.account_id = $1 AND c.id = $2 AND c.revoked_at IS NULL`,
};

const ROTATE = {
  name: 'api_client_rotate',
  text: `UPDATE api_clients SET secret_hash = $3, updated_at = now(),
      previous_secret_hash = CASE WHEN $4::int > 0 THEN secret_hash END,
      previous_secret_until = now() + make_interval(secs => NULLIF($4::int, 0))
    WHERE account_id = $1 AND id = $2`,
};

/** A new secret of a client. */
interface Rotation {
  readonly id: string;
  readonly secretHash: Buffer;
  /** Seconds for which the secret before works on. */
  readonly overlap: number;
}

/** Reads and writes API clients. */
@Injectable()
export class ApiClientsRepository {
  /** The accounts of clients, by their ids. A client has the same one for good. */
  private readonly accountIds = new LRUCache<string, string>({ max: 10_000 });

  constructor(private readonly accounts: AccountsRepository) {}

  /** Finds a client that is not revoked and whose account is not suspended. */
  async findActive(db: Database, clientId: string): Promise<ClientStatus | undefined> {
    return (await this.findSeveralActive(db, [clientId])).get(clientId);
  }

  /** As `findActive`, for several clients. @returns those that were found, by their ids */
  async findSeveralActive(db: Database, clientIds: readonly string[]) {
    await this.learnAccounts(db, clientIds);
    const found = new Map<string, ClientStatus>();
    for (const clientId of clientIds) {
      const accountId = this.accountIds.get(clientId);
      if (accountId === undefined) continue;
      const [row] = await db.for({ accountId }).query<ClientStatus>(FIND_ACTIVE, [accountId, clientId]);
      if (row !== undefined) found.set(clientId, row);
    }
    return found;
  }

  private async learnAccounts(db: Queryable, clientIds: readonly string[]): Promise<void> {
    const unknown = clientIds.filter((id) => !this.accountIds.has(id));
    if (unknown.length === 0) return;
    for (const [id, accountId] of await this.accounts.findByKeys(db, 'client', unknown))
      this.accountIds.set(id, accountId);
  }

  /** Returns the name of a client, revoked or not; its id for an unknown one. */
  async name(db: EntityReader, { accountId }: AccountContext, id: string): Promise<string> {
    return (await db.repository(ApiClientEntity).findOneBy({ accountId, id }))?.name ?? id;
  }

  list(db: EntityReader, account: AccountContext): Promise<ApiClientEntity[]> {
    const where = { accountId: account.accountId };
    return db.repository(ApiClientEntity).find({ where, order: { id: 'ASC' } });
  }

  /** Finds the account of a client that is not revoked, which commands name alone. */
  async accountOf(db: EntityReader, clientId: string): Promise<AccountContext | undefined> {
    await this.learnAccounts(db, [clientId]);
    const accountId = this.accountIds.get(clientId);
    if (accountId === undefined) return undefined;
    const active = { accountId, id: clientId, archivedAt: IsNull() };
    return (await db.repository(ApiClientEntity).existsBy(active)) ? { accountId } : undefined;
  }

  /** Replaces a secret. */
  async rotate(tx: Transaction, { accountId }: AccountContext, to: Rotation): Promise<void> {
    await tx.query(ROTATE, [accountId, to.id, to.secretHash, to.overlap]);
  }
}
