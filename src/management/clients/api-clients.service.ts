import { Injectable } from '@nestjs/common';
import type { AccountContext } from '../../accounts/index.js';
import { ApiClientsRepository, DEFAULT_SCOPES, type ApiClientEntity, type Scope } from '../../auth/index.js';
import { Database, isId } from '../../database/index.js';
import { notFound } from '../../errors/errors.js';
import type { CredentialsView } from './client-view.js';
import type { ClientCredentials } from './clients.editor.js';
import { ClientsService } from './clients.service.js';

/** Creates, lists, rotates and revokes API clients for commands and hosts. The audit names the commands. */
@Injectable()
export class ApiClientsService {
  constructor(
    private readonly database: Database,
    private readonly clients: ApiClientsRepository,
    private readonly service: ClientsService,
  ) {}

  async create(
    account: AccountContext,
    name: string,
    scopes: readonly Scope[] = DEFAULT_SCOPES,
  ): Promise<ClientCredentials> {
    const by = { ...account, command: 'client create' };
    return credentials(await this.service.create(by, { name, scope: scopes.join(' ') }));
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
    const by = { ...(await this.accountOf(clientId)), command: 'client rotate' };
    return credentials(await this.service.rotate(by, { id: clientId, overlap }));
  }

  /** Revokes the client. Its tokens stop working within 5 s. @throws 404 for an unknown or revoked client */
  async revoke(clientId: string): Promise<void> {
    await this.service.archive({ ...(await this.accountOf(clientId)), command: 'client revoke' }, clientId);
  }

  private async accountOf(clientId: string): Promise<AccountContext> {
    const account = isId(clientId) ? await this.clients.accountOf(this.database, clientId) : undefined;
    if (account === undefined) throw notFound('Client not found');
    return account;
  }
}

function credentials({ client_id, client_secret }: CredentialsView): ClientCredentials {
  return { clientId: client_id, clientSecret: client_secret };
}
