import { Injectable } from '@nestjs/common';
import { IsNull } from 'typeorm';
import { ACTIVE_ACCOUNTS, type AccountContext } from '../accounts/index.js';
import type { EntityReader, Queryable, Transaction } from '../database/index.js';
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

const ACTIVE = `c.account_id AS "accountId", c.secret_hash AS "secretHash", c.scopes,
      CASE WHEN c.previous_secret_until > now() THEN c.previous_secret_hash END AS "previousHash"
    FROM api_clients c JOIN (${ACTIVE_ACCOUNTS}) account ON account.id = c.account_id
    WHERE c.revoked_at IS NULL`;

const FIND_ACTIVE = {
  name: 'api_client_find_active',
  text: `SELECT ${ACTIVE} AND c.id = $1`,
};

const FIND_SEVERAL_ACTIVE = {
  name: 'api_client_find_several_active',
  text: `SELECT c.id AS "clientId", ${ACTIVE} AND c.id = ANY ($1::uuid[])`,
};

const ROTATE = {
  name: 'api_client_rotate',
  text: `UPDATE api_clients SET secret_hash = $3, updated_at = now(),
      previous_secret_hash = CASE WHEN $4::int > 0 THEN secret_hash END,
      previous_secret_until = CASE WHEN $4::int > 0 THEN now() + make_interval(secs => $4::int) END
    WHERE account_id = $1 AND id = $2`,
};

/** Reads and writes API clients. */
@Injectable()
export class ApiClientsRepository {
  /**
   * Finds a client that is not revoked and whose account is not suspended. Takes no account, because the
   * account is known only from its result.
   */
  async findActive(db: Queryable, clientId: string): Promise<ClientStatus | undefined> {
    const [row] = await db.query<ClientStatus>(FIND_ACTIVE, [clientId]);
    return row;
  }

  /** As `findActive`, for several clients. @returns those that were found, by their ids */
  async findSeveralActive(
    db: Queryable,
    clientIds: readonly string[],
  ): Promise<ReadonlyMap<string, ClientStatus>> {
    const rows = await db.query<ClientStatus & { clientId: string }>(FIND_SEVERAL_ACTIVE, [clientIds]);
    return new Map(rows.map(({ clientId, ...status }) => [clientId, status]));
  }

  /** Returns the name of a client, revoked or not; its id for an unknown one. */
  async name(db: EntityReader, { accountId }: AccountContext, id: string): Promise<string> {
    return (await db.repository(ApiClientEntity).findOneBy({ accountId, id }))?.name ?? id;
  }

  list(db: EntityReader, account: AccountContext): Promise<ApiClientEntity[]> {
    return db.repository(ApiClientEntity).find({
      where: { accountId: account.accountId },
      order: { id: 'ASC' },
    });
  }

  /**
   * Finds the account of a client that is not revoked. For the command line, where an operator names only a
   * client.
   */
  async accountOf(db: EntityReader, clientId: string): Promise<AccountContext | undefined> {
    const client = await db.repository(ApiClientEntity).findOneBy({ id: clientId, archivedAt: IsNull() });
    return client === null ? undefined : { accountId: client.accountId };
  }

  /** Replaces the secret. @param values.overlap seconds for which the secret before works on */
  async rotate(
    tx: Transaction,
    { accountId }: AccountContext,
    values: { readonly id: string; readonly secretHash: Buffer; readonly overlap: number },
  ): Promise<void> {
    await tx.query(ROTATE, [accountId, values.id, values.secretHash, values.overlap]);
  }
}
