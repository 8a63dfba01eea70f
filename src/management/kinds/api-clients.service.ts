import { Injectable, type Type } from '@nestjs/common';
import type { AccountContext } from '../../accounts/index.js';
import { ApiClientsRepository, DEFAULT_SCOPES, type ApiClientEntity, type Scope } from '../../auth/index.js';
import { Database, isId } from '../../database/index.js';
import { invalid, notFound } from '../../errors/errors.js';
import { validateDto } from '../../validation/validate-dto.js';
import { ClientDto, ClientsKind, RotationDto, type CredentialsView } from './clients.kind.js';

/** The credentials of a client. The secret is returned only here. */
export interface ClientCredentials {
  readonly clientId: string;
  readonly clientSecret: string;
}

/** Manages API clients for commands and hosts, by the rules of requests. The audit names the commands. */
@Injectable()
export class ApiClientsService {
  constructor(
    private readonly database: Database,
    private readonly clients: ApiClientsRepository,
    private readonly kind: ClientsKind,
  ) {}

  /** Creates a client. @throws 400 naming `name` (1 to 200 characters) and `scope` (at least one) */
  async create(
    account: AccountContext,
    name: string,
    scopes: readonly Scope[] = DEFAULT_SCOPES,
  ): Promise<ClientCredentials> {
    const dto = checked(ClientDto, { name, scope: scopes.join(' ') });
    return credentials(await this.kind.create({ ...account, command: 'client create' }, { dto }));
  }

  list(account: AccountContext): Promise<ApiClientEntity[]> {
    return this.database.read((db) => this.clients.list(db, account));
  }

  /**
   * Replaces the secret. The new one works at once, the old one until the overlap has passed, no earlier one.
   * @param overlap seconds, 0 to MOST_OVERLAP
   * @throws 400 for another overlap; 404 for an unknown client; 409 for a revoked one
   */
  async rotate(clientId: string, overlap = 0): Promise<ClientCredentials> {
    checked(RotationDto, { overlap_seconds: overlap });
    const by = await this.callerOf(clientId, 'client rotate');
    return credentials(await this.kind.rotate(by, { id: clientId, overlap }));
  }

  /** Revokes the client. Its tokens stop working within 5 s. @throws 404 for an unknown or revoked client */
  async revoke(clientId: string): Promise<void> {
    await this.kind.archive(await this.callerOf(clientId, 'client revoke'), { id: clientId });
  }

  private async callerOf(clientId: string, command: string) {
    const find = () => this.database.read((db) => this.clients.accountOf(db, clientId));
    const account = isId(clientId) ? await find() : undefined;
    if (account === undefined) throw notFound('Client not found');
    return { ...account, command };
  }
}

/** @param view the answer to what was written */
function credentials(view: object): ClientCredentials {
  const { client_id, client_secret } = view as Required<CredentialsView>;
  return { clientId: client_id, clientSecret: client_secret };
}

/** Returns what a command wants as a DTO. @throws 400 listing what is wrong */
export function checked<T extends object>(dto: Type<T>, value: T): T {
  const result = validateDto(dto, value);
  if (!result.ok) throw invalid(result.errors);
  return result.value;
}
