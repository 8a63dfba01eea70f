import { Inject, Injectable } from '@nestjs/common';
import { JwtService } from '@nestjs/jwt';
import { newId } from '../database/index.js';
import { invalidField } from '../errors/errors.js';
import { SETTINGS, type Settings } from '../settings/settings.js';
import { CredentialCheck } from './credential-check.js';
import { TOKEN_KEYS, type TokenKeys } from './keys/token-keys.js';
import { parseScopes, SCOPES, type Scope } from './scope.js';
import { tokenError } from './token-errors.js';
import { TOKEN_TYPE, type TokenRequest } from './token-request.js';

/** The answer of a token request (RFC 6749 section 5.1). */
export interface TokenResponse {
  readonly access_token: string;
  readonly token_type: 'Bearer';
  /** Seconds until the token expires. */
  readonly expires_in: number;
  readonly scope: string;
}

/** Exchanges client credentials for an access token (clause 4.1). */
@Injectable()
export class TokenService {
  constructor(
    private readonly credentials: CredentialCheck,
    private readonly jwt: JwtService,
    @Inject(TOKEN_KEYS) private readonly keys: Pick<TokenKeys, 'signing'>,
    @Inject(SETTINGS)
    private readonly settings: Pick<Settings, 'JWT_ISSUER' | 'JWT_AUDIENCE' | 'ACCESS_TOKEN_TTL_SECONDS'>,
  ) {}

  /** Checks the credentials and signs a token. @throws as CredentialCheck does, or 400 `invalid_scope` */
  async issue(request: TokenRequest, address: string): Promise<TokenResponse> {
    const clientId = request.clientId.toLowerCase();
    const client = await this.credentials.check({ ...request, clientId }, address);
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
