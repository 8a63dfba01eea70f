import { Injectable } from '@nestjs/common';
import { IsInt, Max, Min } from 'class-validator';
import { AccountsRepository } from '../../accounts/index.js';
import {
  ApiClientEntity,
  ApiClientsRepository,
  DEFAULT_SCOPES,
  hashClientSecret,
  MOST_OVERLAP,
  newClientSecret,
  parseScopes,
  SCOPES,
} from '../../auth/index.js';
import { IsStorableText, MayBeAbsent, rule } from '../../validation/decorators.js';
import type { Changer, ChangeOptions, Tried } from '../change/changes.service.js';
import type { ConfigurationChange } from '../change/configuration-change.js';
import type { KindDocs } from '../managed/managed-docs.js';
import type { RowValues, Wanted } from '../managed/kind-declaration.js';
import { ManagedKind, type Edit } from '../managed/managed-kind.js';
import type { WrittenRow } from '../managed/managed.repository.js';

/** Accepts a text of one or more scopes, separated by spaces. */
const IsScopeList = (): PropertyDecorator =>
  rule('isScopeList', `must be one or more of ${SCOPES.join(' ')}`, (value) => {
    const parsed = typeof value === 'string' ? parseScopes(value) : { unknown: [] };
    return 'scopes' in parsed && parsed.scopes.length > 0;
  });

/** The body of `POST /clients`. */
export class ClientDto {
  @IsStorableText(200)
  name!: string;

  /** Space-separated. Default: all but `availability` and `manage`. */
  @MayBeAbsent()
  @IsScopeList()
  scope?: string;
}

/** The body of `POST /clients/{id}/rotate`. */
export class RotationDto {
  /** Seconds for which the secret before works on. Default 0. */
  @MayBeAbsent()
  @Min(0)
  @Max(MOST_OVERLAP)
  @IsInt()
  overlap_seconds?: number;
}

/** Credentials, of which the secret is shown only once: the database keeps its hash. */
export interface CredentialsView {
  readonly client_id: string;
  /** Not in the answer to a dry run: it never works. */
  readonly client_secret?: string;
}

/** The secrets of new clients, by id. The database keeps their hashes. */
type NewSecrets = Map<string, string>;

/** API clients of an account. Archived means revoked, for good. No form has a secret. */
@Injectable()
export class ClientsKind extends ManagedKind<ApiClientEntity, ClientDto, NewSecrets> {
  static readonly docs: KindDocs = {
    one: 'client',
    many: 'clients',
    dto: ClientDto,
    notes: {
      create:
        'The secret is shown this once. The `id` is the `client_id` of token requests. Where the answer is lost, ' +
        'revoke the client that the list has, and create another.',
      update: 'Changes the keys that the body has. Tokens lose a scope that is taken away within 5 s.',
      archive: 'Revokes the client for good: its tokens stop working within 5 s.',
    },
    about: {
      scope: `Space-separated. Known: ${SCOPES.join(' ')}; default: all but availability and manage`,
    },
    example: { name: 'CRM sync', scope: 'records:read records:write' },
    created: 'CreatedClient',
  };

  readonly entity = ApiClientEntity;

  override readonly unique = undefined;
  override readonly revives = false;
  override readonly gone = 'revoked';

  constructor(
    private readonly accounts: AccountsRepository,
    private readonly clients: ApiClientsRepository,
  ) {
    super();
  }

  /**
   * Replaces the secret of a client. The new one works at once, the one before until the overlap has passed.
   * @throws 404 for an unknown client; 409 for a revoked one; 412
   */
  rotate(
    by: Changer,
    { id, versions, overlap, ...options }: Edit & { readonly overlap: number },
  ): Promise<CredentialsView & Tried> {
    const work = async (change: ConfigurationChange): Promise<CredentialsView> => {
      const { name } = await this.active(change, { id, versions });
      const secret = newClientSecret();
      const replaced = { id, secretHash: hashClientSecret(secret), overlap };
      await this.clients.rotate(change.tx, change.account, replaced);
      const values = [{ path: 'overlap_seconds', from: null, to: overlap }];
      change.did('rotate', { kind: 'client', id, name }, { values });
      return { client_id: id, ...(options.dryRun === true ? {} : { client_secret: secret }) };
    };
    return this.changes.change(by, work, options);
  }

  context(): Promise<NewSecrets> {
    return Promise.resolve(new Map<string, string>());
  }

  form({ name, scopes }: WrittenRow<ApiClientEntity>): object {
    return { name, scope: scopes.join(' ') };
  }

  override onceShown(
    { id }: ApiClientEntity,
    secrets: NewSecrets,
    { dryRun = false }: ChangeOptions,
  ): CredentialsView {
    return { client_id: id, ...(dryRun ? {} : { client_secret: secrets.get(id) ?? '' }) };
  }

  override saving({ tx, account }: ConfigurationChange, rows: readonly { id: string }[]): Promise<void> {
    return this.accounts.keepKeys(tx, account, { kind: 'client', keys: rows.map(({ id }) => id) });
  }

  wanted(
    { dto: { name, scope }, present, id }: Wanted<ApiClientEntity, ClientDto>,
    secrets: NewSecrets,
  ): RowValues<ApiClientEntity> {
    const parsed = scope === undefined ? undefined : parseScopes(scope);
    const sent = parsed !== undefined && 'scopes' in parsed ? parsed.scopes : undefined;
    const scopes = sent ?? present?.scopes ?? [...DEFAULT_SCOPES];
    if (present !== undefined) return Object.assign({}, present, { name, scopes });
    const secret = newClientSecret();
    secrets.set(id, secret);
    const secretHash = hashClientSecret(secret);
    return { name, scopes, secretHash, previousSecretHash: null, previousSecretUntil: null };
  }
}
