import { createSecretKey, type KeyObject } from 'node:crypto';
import { join } from 'node:path';
import { keptSecret, makeDirectory } from '../../database/files.js';
import { InvalidEnvironmentError } from '../../settings/invalid-environment.error.js';
import type { Settings } from '../../settings/settings.js';
import { readPrivateKey, readPublicKey, type PublicKey } from './key-file.js';

/** The signature algorithms of access tokens (RFC 7518 section 3.1). */
export type TokenAlgorithm = 'HS256' | 'RS256' | 'ES256';

/** The key that signs access tokens. */
export interface SigningKey {
  readonly algorithm: TokenAlgorithm;
  readonly key: KeyObject;
  /** Id that tokens name; undefined for a secret, which has none. */
  readonly kid?: string;
}

/** The keys of access tokens: one signs, and those before it verify what they have signed. */
export interface TokenKeys {
  readonly signing: SigningKey;
  /** Those that a token can name, the newest first. */
  readonly published: readonly PublicKey[];
  /** Those of HS256, the newest first. */
  readonly secrets: readonly KeyObject[];
}

/** Injection token of TokenKeys. */
export const TOKEN_KEYS = Symbol('TokenKeys');

/**
 * Returns the keys: `JWT_PRIVATE_KEY_FILE` signs where it is set, otherwise `JWT_SECRET`. Keys of before, of
 * both kinds, verify.
 * @throws Error naming the setting that cannot be used
 */
export function tokenKeys(settings: Settings): TokenKeys {
  const published = settings.JWT_PREVIOUS_PUBLIC_KEY_FILES.map((file) =>
    readPublicKey(file, 'JWT_PREVIOUS_PUBLIC_KEY_FILES'),
  );
  const { JWT_SECRET_PREVIOUS: previous } = settings;
  const secrets = previous === undefined ? [] : [createSecretKey(Buffer.from(previous))];
  if (settings.JWT_PRIVATE_KEY_FILE === undefined) {
    const key = jwtSecret(settings);
    return { signing: { algorithm: 'HS256', key }, published, secrets: [key, ...secrets] };
  }
  if (settings.JWT_SECRET !== undefined) {
    throw InvalidEnvironmentError.of(
      'JWT_SECRET',
      'JWT_SECRET must not be set beside JWT_PRIVATE_KEY_FILE: tokens that it has signed are accepted where it is JWT_SECRET_PREVIOUS',
    );
  }
  if (!isIssuer(settings.JWT_ISSUER)) {
    throw InvalidEnvironmentError.of(
      'JWT_ISSUER',
      'JWT_ISSUER must be the http(s) address at which clients reach the service, without query or slash at its end, when JWT_PRIVATE_KEY_FILE is set',
    );
  }
  const { key, shared } = readPrivateKey(settings.JWT_PRIVATE_KEY_FILE, 'JWT_PRIVATE_KEY_FILE');
  const { algorithm, kid } = shared;
  return { signing: { algorithm, key, kid }, published: [shared, ...published], secrets };
}

/** Whether a text can be the issuer of RFC 8414. HTTP is for tests and for networks that encrypt. */
function isIssuer(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, search, hash, username, password } = new URL(text);
  const isWeb = protocol === 'https:' || protocol === 'http:';
  return isWeb && search + hash + username + password === '' && !text.endsWith('/');
}

/**
 * Returns the HS256 signing key: `JWT_SECRET`, or a secret that is generated once and stored in `DATA_DIR`,
 * with the embedded database alone: all servers of an external one must share a secret. It is a KeyObject,
 * because jsonwebtoken tries to parse a string as a public key for each token.
 * @throws Error naming JWT_SECRET where it is missing, or DATA_DIR when it is unusable
 */
export function jwtSecret(settings: Settings): KeyObject {
  if (settings.JWT_SECRET === undefined && settings.DATABASE_URL !== undefined) {
    throw InvalidEnvironmentError.of(
      'JWT_SECRET',
      'JWT_SECRET is required (at least 32 bytes) when DATABASE_URL is set',
    );
  }
  return createSecretKey(Buffer.from(settings.JWT_SECRET ?? secretIn(settings.DATA_DIR)));
}

function secretIn(dataDir: string): string {
  const file = join(dataDir, 'jwt-secret');
  let secret: string;
  try {
    makeDirectory(dataDir);
    secret = keptSecret(file);
  } catch (error) {
    throw new Error(
      `DATA_DIR ${dataDir} cannot be used: ${(error as Error).message}. ` +
        'Set it to a directory that this user can write to.',
      { cause: error },
    );
  }
  if (Buffer.byteLength(secret) >= 32) return secret;
  throw new Error(`DATA_DIR holds an unusable ${file}: delete it to have a new secret generated`);
}
