import { createSecretKey, type KeyObject } from 'node:crypto';
import { join } from 'node:path';
import { keptSecret, makeDirectory } from '../../database/files.js';
import { InvalidEnvironmentError } from '../../settings/invalid-environment.error.js';
import type { Settings } from '../../settings/settings.js';

/** Name of the file in `DATA_DIR` that keeps a generated secret. */
const JWT_SECRET_FILE = 'jwt-secret';

/**
 * Returns the HS256 signing key: `JWT_SECRET`, or a secret that is generated once and stored in `DATA_DIR`.
 * The second works only with the embedded database, because all servers of an external database must share
 * one secret. It is a KeyObject, because jsonwebtoken tries to parse a string as a public key for each token.
 * @throws Error naming JWT_SECRET when an external database is used without it, or DATA_DIR when it is
 * unusable
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
  const file = join(dataDir, JWT_SECRET_FILE);
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
