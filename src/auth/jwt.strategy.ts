import { Inject, Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import { ExtractJwt, Strategy } from 'passport-jwt';
import { unauthorized } from '../errors/errors.js';
import { AUTH_OPTIONS, type AuthOptions } from './auth.options.js';
import { parseScopes } from './scope.js';
import { TOKEN_TYPE, type TokenClaims } from './token-claims.js';
import { invalidToken } from './token-errors.js';
import type { VerifiedToken } from './verified-tokens.cache.js';

/** A verified token as jsonwebtoken gives it when asked for the whole of it. */
interface CompleteToken {
  readonly header: { readonly typ?: string };
  readonly payload: Partial<TokenClaims>;
}

/** Finds the token of a request; null for none. */
export const BEARER = ExtractJwt.fromAuthHeaderAsBearerToken();

/**
 * Verifies a bearer token by itself (clause 5, RFC 9068); whether its client may still act is up to the
 * guard.
 */
@Injectable()
export class JwtStrategy extends PassportStrategy(Strategy) {
  constructor(@Inject(AUTH_OPTIONS) options: AuthOptions) {
    super({
      jwtFromRequest: BEARER,
      // The types know strings and buffers only; a KeyObject is what jsonwebtoken wants in the end.
      secretOrKey: options.secret as unknown as Buffer,
      issuer: options.issuer,
      audience: options.audience,
      algorithms: ['HS256'],
      // Deprecated for what has options of its own above; the only way to be given the header, which carries
      // `typ`.
      // eslint-disable-next-line @typescript-eslint/no-deprecated
      jsonWebTokenOptions: { complete: true },
    });
  }

  /** @throws 401 for a token without account context, and for one that is no access token of this service */
  validate({ header, payload }: CompleteToken): VerifiedToken {
    if (header.typ?.toLowerCase() !== TOKEN_TYPE) throw invalidToken();
    const { account_id: accountId, client_id: clientId, sub, scope, exp } = payload;
    if (typeof accountId !== 'string' || accountId === '') {
      throw unauthorized('Unauthorized: missing account context', 'Bearer error="invalid_token"');
    }
    if (typeof clientId !== 'string' || clientId !== sub || typeof exp !== 'number') throw invalidToken();
    const parsed = parseScopes(typeof scope === 'string' ? scope : '');
    return { accountId, clientId, scopes: 'scopes' in parsed ? parsed.scopes : [], exp };
  }
}
