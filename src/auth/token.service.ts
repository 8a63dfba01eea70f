import { Inject, Injectable } from '@nestjs/common';
import { JwtService } from '@nestjs/jwt';
import { Database, isId, newId } from '../database/index.js';
import { invalidField } from '../errors/errors.js';
import { SETTINGS, type Settings } from '../settings/settings.js';
import { FailedAttempts } from '../throttles/index.js';
import { ApiClientsRepository, type ClientStatus } from './api-clients.repository.js';
import { TOKEN_KEYS, type TokenKeys } from './keys/token-keys.js';
import { parseScopes, SCOPES, type Scope } from './scope.js';
import { secretMatches } from './secrets.js';
import { SharedLookups } from './shared-lookups.js';
import { invalidClient, tokenError, tooManyFailures } from './token-errors.js';
import { TOKEN_TYPE, type TokenRequest } from './token-request.js';

/** The answer of a token request (RFC 6749 section 5.1). */
export interface TokenResponse {
  readonly access_token: string;
  readonly token_type: 'Bearer';
  /** Seconds until the token expires. */
  readonly expires_in: number;
  readonly scope: string;
}

/**
 * Exchanges client credentials for an access token (clause 4.1). A right secret is accepted from any address.
 * Of an address with too many failures, clients are looked up together, one statement at a time.
 */
@Injectable()
export class TokenService {
  private readonly lookups: SharedLookups<ClientStatus>;

  constructor(
    private readonly database: Database,
    private readonly clients: ApiClientsRepository,
    private readonly failures: FailedAttempts,
    private readonly jwt: JwtService,
    @Inject(TOKEN_KEYS) private readonly keys: Pick<TokenKeys, 'signing'>,
    @Inject(SETTINGS)
    private readonly settings: Pick<Settings, 'JWT_ISSUER' | 'JWT_AUDIENCE' | 'ACCESS_TOKEN_TTL_SECONDS'>,
  ) {
    this.lookups = new SharedLookups((ids) => clients.findSeveralActive(database, ids));
  }

  /** Checks the credentials and signs a token. @throws as `authenticate` does, or 400 `invalid_scope` */
  async issue(request: TokenRequest, address: string): Promise<TokenResponse> {
    const clientId = request.clientId.toLowerCase();
    const client = await this.authenticate({ ...request, clientId }, address);
    const scope = grantedScopes(request.scope, client.scopes).join(' ');
    const { algorithm, kid } = this.keys.signing;
    const { JWT_ISSUER, JWT_AUDIENCE, ACCESS_TOKEN_TTL_SECONDS: ttl } = this.settings;
    const access_token = await this.jwt.signAsync(
      { account_id: client.accountId, client_id: clientId, scope },
      {
        algorithm,
        audience: JWT_AUDIENCE,
        expiresIn: ttl,
        header: { alg: algorithm, typ: TOKEN_TYPE, ...(kid === undefined ? {} : { kid }) },
        issuer: JWT_ISSUER,
        jwtid: newId(),
        subject: clientId,
      },
    );
    return { access_token, token_type: 'Bearer', expires_in: ttl, scope };
  }

  /**
   * Checks credentials.
   * @param request its id in lower case
   * @param address under which a failed attempt is counted
   * @throws 401 `invalid_client`, or 429 after too many failures: the same for any wrong client or secret
   */
  async authenticate(
    { clientId, clientSecret, basic }: Omit<TokenRequest, 'scope'>,
    address: string,
  ): Promise<ClientStatus> {
    const client = isId(clientId) ? await this.find(clientId, address) : undefined;
    const isRight = secretMatches(clientSecret, [client?.secretHash, client?.previousHash]);
    if (isRight && client !== undefined) return client;
    const seconds = this.failures.add(address);
    throw seconds === undefined ? invalidClient(basic) : tooManyFailures(seconds);
  }

  private find(clientId: string, address: string): Promise<ClientStatus | undefined> {
    return this.failures.isSpent(address)
      ? this.lookups.find(clientId)
      : this.clients.findActive(this.database, clientId);
  }
}

function grantedScopes(requested: string | undefined, allowed: readonly Scope[]): readonly Scope[] {
  if (requested === undefined) return SCOPES.filter((scope) => allowed.includes(scope));
  const parsed = parseScopes(requested);
  const scopes = 'scopes' in parsed ? parsed.scopes : [];
  if (scopes.length === 0 || !scopes.every((scope) => allowed.includes(scope))) {
    const message = `scope must be one or more of: ${allowed.join(' ')}`;
    throw tokenError('invalid_scope', invalidField('scope', message));
  }
  return scopes;
}
