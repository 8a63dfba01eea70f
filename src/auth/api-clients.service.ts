import { Injectable } from '@nestjs/common';
import type { AccountContext } from '../accounts/index.js';
import { Database, isId } from '../database/index.js';
import { notFound } from '../errors/errors.js';
import type { ApiClientEntity } from './api-client.entity.js';
import { ApiClientsRepository, type ApiClientKey } from './api-clients.repository.js';
import { hashClientSecret, newClientSecret } from './client-secret.js';
import { DEFAULT_SCOPES, type Scope } from './scope.js';

/** Most seconds for which a secret works after it was replaced (contract, section 6). */
export const MOST_OVERLAP = 86_400;

/** The credentials of a client. The secret is returned only here: the database keeps its hash. */
export interface ClientCredentials {
  readonly clientId: string;
  readonly clientSecret: string;
}

/** Creates, lists, rotates and revokes API clients. */
@Injectable()
export class ApiClientsService {
  constructor(
    private readonly database: Database,
    private readonly clients: ApiClientsRepository,
  ) {}

  async create(
    account: AccountContext,
    name: string,
    scopes: readonly Scope[] = DEFAULT_SCOPES,
  ): Promise<ClientCredentials> {
    const clientSecret = newClientSecret();
    const values = { name, secretHash: hashClientSecret(clientSecret), scopes: [...scopes] };
    return { clientId: await this.clients.create(this.database, account, values), clientSecret };
  }

  list(account: AccountContext): Promise<ApiClientEntity[]> {
    return this.clients.list(this.database, account);
  }

  /**
   * Replaces the secret. The new secret works at once, the old one until the overlap has passed. A secret
   * that was replaced earlier stops working.
   * @param overlap seconds, 0 to MOST_OVERLAP
   * @throws 404 for an unknown or revoked client
   */
  async rotate(clientId: string, overlap = 0): Promise<ClientCredentials> {
    const client = await this.find(clientId);
    const clientSecret = newClientSecret();
    await this.clients.rotate(this.database, client, { secretHash: hashClientSecret(clientSecret), overlap });
    return { clientId, clientSecret };
  }

  /** Revokes the client. Its tokens stop working within 5 s. @throws 404 for an unknown or revoked client */
  async revoke(clientId: string): Promise<void> {
    await this.clients.update(this.database, await this.find(clientId), { revokedAt: new Date() });
  }

  private async find(clientId: string): Promise<ApiClientKey> {
    const account = isId(clientId) ? await this.clients.accountOf(this.database, clientId) : undefined;
    if (account === undefined) throw notFound('Client not found');
    return { ...account, clientId };
  }
}
