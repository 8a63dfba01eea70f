import { Injectable } from '@nestjs/common';
import type { AccountContext } from '../../accounts/index.js';
import {
  ApiClientsRepository,
  DEFAULT_SCOPES,
  parseScopes,
  type ApiClientEntity,
  type Scope,
} from '../../auth/index.js';
import { Database, type EntityReader } from '../../database/index.js';
import { archived } from '../../errors/errors.js';
import type { Page } from '../../paging/index.js';
import { foundRow, requireArchivable } from '../change/managed-row.js';
import { ChangesService, type Changer } from '../change/changes.service.js';
import { mentioned, type ConfigurationChange } from '../change/configuration-change.js';
import type { ListRequest } from '../change/list-request.js';
import { readPage } from '../change/read-page.js';
import type { ClientDto } from './client.dto.js';
import { clientView, type ClientView, type CredentialsView } from './client-view.js';
import { ClientsEditor, type ClientCredentials } from './clients.editor.js';

/** Manages the API clients of an account (contract section 6). */
@Injectable()
export class ClientsService {
  constructor(
    private readonly database: Database,
    private readonly clients: ApiClientsRepository,
    private readonly changes: ChangesService,
    private readonly editor: ClientsEditor,
  ) {}

  /**
   * Returns one page of clients in creation order.
   * @throws DomainError 400 for a bad `after`, or one together with an offset
   */
  list(account: AccountContext, request: ListRequest): Promise<Page<ClientView>> {
    return readPage({ database: this.database, account }, request, {
      read: (db, range) => this.clients.page(db, account, range),
      view: (clients) => clients.map(clientView),
    });
  }

  /** Returns one client, revoked or not. @throws 404 */
  async get(account: AccountContext, id: string): Promise<ClientView> {
    return clientView(await this.database.for(account).read((db) => this.find(db, account, id)));
  }

  /** Creates a client, with any scopes. */
  create(by: Changer, { name, scope }: ClientDto): Promise<ClientView & CredentialsView> {
    return this.changes.change(by, async (change) => {
      const scopes = scope === undefined ? [...DEFAULT_SCOPES] : scopesOf(scope);
      const credentials = await this.editor.create(change, { name, scopes });
      const client = await this.find(change.tx, by, credentials.clientId);
      return { ...clientView(client), ...credentialsView(credentials) };
    });
  }

  /** Changes what `dto` mentions. @throws 404; 409 for a revoked client */
  update(
    by: Changer,
    { id, dto: { name, scope } }: { readonly id: string; readonly dto: Partial<ClientDto> },
  ): Promise<ClientView> {
    return this.changes.change(by, async (change) => {
      const present = await this.findActive(change, id);
      const scopes = scope === undefined ? undefined : scopesOf(scope);
      await this.editor.change(change, present, mentioned({ name, scopes }));
      return clientView(await this.find(change.tx, by, id));
    });
  }

  /**
   * Replaces the secret. The new one works at once.
   * @param options.overlap seconds for which the secret before works on, 0 to MOST_OVERLAP
   * @throws 404; 409 for a revoked client
   */
  rotate(
    by: Changer,
    { id, overlap }: { readonly id: string; readonly overlap: number },
  ): Promise<CredentialsView> {
    return this.changes.change(by, async (change) => {
      const present = await this.findActive(change, id);
      return credentialsView(await this.editor.rotate(change, present, overlap));
    });
  }

  /** Revokes a client. Its tokens stop working within 5 s. @throws 404, also for a revoked client */
  archive(by: Changer, id: string): Promise<ClientView> {
    return this.changes.change(by, async (change) => {
      const present = await this.find(change.tx, by, id);
      requireArchivable('client', { archivedAt: present.revokedAt });
      await this.editor.revoke(change, present);
      return clientView(await this.find(change.tx, by, id));
    });
  }

  private async findActive({ tx, account }: ConfigurationChange, id: string): Promise<ApiClientEntity> {
    const present = await this.find(tx, account, id);
    if (present.revokedAt !== null) throw archived('This client is revoked and cannot be changed');
    return present;
  }

  private find(db: EntityReader, account: AccountContext, id: string): Promise<ApiClientEntity> {
    return foundRow('client', id, () => this.clients.find(db, account, id));
  }
}

/** @param scope a list that was validated */
function scopesOf(scope: string): Scope[] {
  const parsed = parseScopes(scope);
  return 'scopes' in parsed ? parsed.scopes : [];
}

function credentialsView({ clientId, clientSecret }: ClientCredentials): CredentialsView {
  return { client_id: clientId, client_secret: clientSecret };
}
