import { Inject, Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import { ExtractJwt, Strategy } from 'passport-jwt';
import { isId } from '../database/index.js';
import { unauthorized } from '../errors/errors.js';
import { AUTH_OPTIONS, type AuthOptions } from './auth.options.js';
import type { ClientContext } from './client-context.js';
import { ClientStatusCache } from './client-status.cache.js';
import { parseScopes, type Scope } from './scope.js';
import { TOKEN_TYPE, type TokenClaims } from './token-claims.js';

/** A verified token as jsonwebtoken gives it when asked for the whole of it. */
interface CompleteToken {
  readonly header: { readonly typ?: string };
  readonly payload: Partial<TokenClaims>;
}

/** Verifies the bearer token (clause 5, RFC 9068) and turns it into the caller's context. */
@Injectable()
export class JwtStrategy extends PassportStrategy(Strategy) {
  constructor(
    @Inject(AUTH_OPTIONS) options: AuthOptions,
    private readonly statuses: ClientStatusCache,
  ) {
    super({
      jwtFromRequest: ExtractJwt.fromAuthHeaderAsBearerToken(),
      // The types know strings and buffers only; a KeyObject is what jsonwebtoken wants in the end.
      secretOrKey: options.secret as unknown as Buffer,
      issuer: options.issuer,
      audience: options.audience,
      algorithms: ['HS256'],
      // Deprecated for what has options of its own above; the only way to be given the header, which carries `typ`.
      // eslint-disable-next-line @typescript-eslint/no-deprecated
      jsonWebTokenOptions: { complete: true },
    });
  }

  /** @throws 401 for a token without account context, and for one whose client or account may no longer act. */
  async validate({ header, payload }: CompleteToken): Promise<ClientContext> {
    if (header.typ?.toLowerCase() !== TOKEN_TYPE) throw invalidToken();
    const { account_id: accountId, client_id: clientId, sub, scope, exp } = payload;
    if (typeof accountId !== 'string' || accountId === '') {
      throw unauthorized('Unauthorized: missing account context', 'Bearer error="invalid_token"');
    }
    if (typeof clientId !== 'string' || clientId !== sub || typeof exp !== 'number') throw invalidToken();
    const client = isId(clientId) ? await this.statuses.get(clientId) : undefined;
    if (client?.accountId !== accountId) throw invalidToken();
    return { accountId, clientId, scopes: effectiveScopes(scope, client.scopes) };
  }
}

function invalidToken(): Error {
  return unauthorized('Unauthorized: invalid or expired token', 'Bearer error="invalid_token"');
}

function effectiveScopes(scope: unknown, allowed: readonly Scope[]): ReadonlySet<Scope> {
  const parsed = parseScopes(typeof scope === 'string' ? scope : '');
  return new Set('scopes' in parsed ? parsed.scopes.filter((each) => allowed.includes(each)) : []);
}
