import { Injectable } from '@nestjs/common';
import { IsNull } from 'typeorm';
import { ACTIVE_ACCOUNTS, type AccountContext } from '../accounts/index.js';
import { newId, type Queryable } from '../database/index.js';
import { ApiClientEntity } from './api-client.entity.js';
import type { Scope } from './scope.js';

/** One client of an account. */
export interface ApiClientKey extends AccountContext {
  readonly clientId: string;
}

/** What authentication needs to know of a client. */
export interface ClientStatus {
  readonly accountId: string;
  readonly secretHash: Buffer;
  readonly scopes: readonly Scope[];
}

const FIND_ACTIVE = {
  name: 'api_client_find_active',
  text: `SELECT c.account_id AS "accountId", c.secret_hash AS "secretHash", c.scopes
    FROM api_clients c JOIN (${ACTIVE_ACCOUNTS}) account ON account.id = c.account_id
    WHERE c.id = $1 AND c.revoked_at IS NULL`,
};

/** API clients. */
@Injectable()
export class ApiClientsRepository {
  /**
   * The client if it may act: not revoked, and its account not suspended. The one query that comes before an
   * account is known.
   */
  async findActive(db: Queryable, clientId: string): Promise<ClientStatus | undefined> {
    const [row] = await db.query<ClientStatus>(FIND_ACTIVE, [clientId]);
    return row;
  }

  list(db: Queryable, account: AccountContext): Promise<ApiClientEntity[]> {
    return db.repository(ApiClientEntity).find({
      where: { accountId: account.accountId },
      order: { id: 'ASC' },
    });
  }

  async create(
    db: Queryable,
    account: AccountContext,
    values: { name: string; secretHash: Buffer; scopes: Scope[] },
  ): Promise<string> {
    const id = newId();
    await db.repository(ApiClientEntity).insert({ accountId: account.accountId, id, ...values });
    return id;
  }

  /**
   * @returns the account of a client that is not revoked. For the operator's command line, which names
   *   clients only.
   */
  async accountOf(db: Queryable, clientId: string): Promise<AccountContext | undefined> {
    const client = await db.repository(ApiClientEntity).findOneBy({ id: clientId, revokedAt: IsNull() });
    return client === null ? undefined : { accountId: client.accountId };
  }

  async update(
    db: Queryable,
    { accountId, clientId }: ApiClientKey,
    values: Partial<Pick<ApiClientEntity, 'secretHash' | 'revokedAt'>>,
  ): Promise<void> {
    await db.repository(ApiClientEntity).update({ accountId, id: clientId }, values);
  }
}
