import type { IncomingMessage } from 'node:http';
import { createHmac, timingSafeEqual, type KeyObject } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import type { Request } from 'express';
import passport from 'passport';
import { Strategy } from 'passport-jwt';
import { newId } from '../database/index.js';
import { unauthorized } from '../errors/errors.js';
import { SETTINGS, type Settings } from '../settings/settings.js';
import { headerValues } from '../http/index.js';
import { TOKEN_KEYS, type TokenKeys } from './keys/token-keys.js';
import { parseScopes, type Scope } from './scope.js';
import { TOKEN_TYPE } from './token-request.js';
import { invalidToken } from './token-errors.js';

/** Most characters of an Authorization header. An access token of this service has about 600. */
const MAX_LENGTH = 4_096;

/** RFC 6750 section 2.1. It is anchored and every step consumes a character, so it takes linear time. */
const BEARER = /^Bearer +([A-Za-z0-9._~+/-]+=*)$/i;

/** Reads the bearer token of a request. @throws 401 unless its one Authorization header is that */
export function bearerToken(request: Pick<IncomingMessage, 'rawHeaders'>): string {
  const [header, ...more] = headerValues(request, 'authorization');
  if (more.length > 0) throw unauthorized('Unauthorized: the Authorization header must be sent once');
  if (header === undefined) throw unauthorized('Unauthorized: missing bearer token');
  if (header.length > MAX_LENGTH) throw invalidToken();
  const token = BEARER.exec(header)?.[1];
  if (token === undefined) throw unauthorized('Unauthorized: missing bearer token');
  return token;
}

/** The content of a token whose signature and claims are verified. */
export interface VerifiedToken {
  readonly accountId: string;
  readonly clientId: string;
  /** The scopes of the token. Its client may have fewer by now. */
  readonly scopes: readonly Scope[];
  /** Expiry, in seconds since the epoch. */
  readonly exp: number;
}

/** A verified token as jsonwebtoken returns it with the option `complete`. */
interface CompleteToken {
  readonly header: Readonly<Record<string, unknown>>;
  readonly payload: Claims;
}

/** The claims that are read (RFC 9068), of which any may be wrong. */
type Claims = Readonly<Partial<Record<'account_id' | 'client_id' | 'sub' | 'scope' | 'exp', unknown>>>;

/** Whether a `typ` header is that of an access token. RFC 9068 section 4 allows both forms. */
function isAccessToken(typ: unknown): boolean {
  return typeof typ === 'string' && [TOKEN_TYPE, `application/${TOKEN_TYPE}`].includes(typ.toLowerCase());
}

type TokenSettings = Pick<Settings, 'JWT_ISSUER' | 'JWT_ISSUER_PREVIOUS' | 'JWT_AUDIENCE'>;

/** Verifies signature, header and claims of a token (clause 5, RFC 9068). The guard checks its client. */
@Injectable()
export class JwtStrategy extends PassportStrategy(Strategy) {
  constructor(@Inject(TOKEN_KEYS) keys: TokenKeys, @Inject(SETTINGS) settings: TokenSettings) {
    const { JWT_ISSUER: issuer, JWT_ISSUER_PREVIOUS: previous, JWT_AUDIENCE: audience } = settings;
    super({
      // The readers of passport-jwt take quadratic time.
      jwtFromRequest: (request: Request) => bearerToken(request),
      secretOrKeyProvider: (_, token: string, done) => {
        const key = verifyingKey(keys, token);
        // jsonwebtoken takes a KeyObject; the types of passport-jwt do not say so.
        done(key === undefined ? new Error('No key has signed this token') : null, key as unknown as Buffer);
      },
      issuer: previous === undefined ? issuer : [issuer, previous],
      audience,
      // The key that is provided is one of the algorithm that the token names.
      algorithms: ['HS256', 'RS256', 'ES256'],
      // Deprecated, but no other option returns the header, which contains `typ`.
      // eslint-disable-next-line @typescript-eslint/no-deprecated
      jsonWebTokenOptions: { complete: true },
    });
  }

  /**
   * Called when the strategy is made, which Passport then knows by its name. No other strategy of the process
   * has that name: those of a host, or of a second service, have other keys.
   */
  getPassportInstance(): typeof passport {
    this.name = `fairlead-${newId()}`;
    return passport;
  }

  /** @throws 401 for a token without account context, or one that is not an access token of this service */
  validate({ header, payload }: CompleteToken): VerifiedToken {
    // No extension that `crit` may name is known here (RFC 7515 section 4.1.11).
    if (!isAccessToken(header['typ']) || 'crit' in header) throw invalidToken();
    const { account_id: accountId, client_id: clientId, sub, scope, exp } = payload;
    if (typeof accountId !== 'string' || accountId === '') {
      throw unauthorized('Unauthorized: missing account context', 'Bearer error="invalid_token"');
    }
    if (typeof clientId !== 'string' || clientId !== sub || typeof exp !== 'number') throw invalidToken();
    const parsed = parseScopes(typeof scope === 'string' ? scope : '');
    return { accountId, clientId, scopes: 'scopes' in parsed ? parsed.scopes : [], exp };
  }
}

/**
 * Returns the key that must have signed a token, if there is one: the public key that `kid` names, for the
 * algorithm of that key only; without `kid` and with HS256, the secret that has signed it. So a public key is
 * never taken for a secret.
 */
function verifyingKey({ published, secrets }: TokenKeys, token: string): KeyObject | undefined {
  const header = headerOf(token);
  if (header === undefined) return undefined;
  const { alg, kid } = header;
  if (kid !== undefined) return published.find((key) => key.kid === kid && key.algorithm === alg)?.key;
  if (alg !== 'HS256') return undefined;
  return secrets.length === 1 ? secrets[0] : secrets.find((secret) => hasSigned(secret, token));
}

function headerOf(token: string): { readonly alg?: unknown; readonly kid?: unknown } | undefined {
  try {
    const text = Buffer.from(token.slice(0, token.indexOf('.')), 'base64url').toString('utf8');
    const header: unknown = JSON.parse(text);
    return typeof header === 'object' && header !== null ? header : undefined;
  } catch {
    return undefined;
  }
}

function hasSigned(secret: KeyObject, token: string): boolean {
  const end = token.lastIndexOf('.');
  const expected = createHmac('sha256', secret).update(token.slice(0, end)).digest();
  const given = Buffer.from(token.slice(end + 1), 'base64url');
  return given.length === expected.length && timingSafeEqual(given, expected);
}
