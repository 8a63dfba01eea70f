import { createSecretKey, randomBytes, type KeyObject } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Settings } from './settings.js';

/**
 * Returns the HS256 signing key: `JWT_SECRET`, or, on the embedded database, a key that is generated once and
 * kept in `DATA_DIR`. It is a KeyObject, because jsonwebtoken tries to parse a string as a public key on
 * every request.
 * @throws Error naming JWT_SECRET when an external database is used without it, because several servers must
 *   share it
 */
export function jwtSecret(settings: Settings): KeyObject {
  if (settings.JWT_SECRET === undefined && settings.DATABASE_URL !== undefined) {
    throw new Error(
      'Invalid environment:\n  - JWT_SECRET is required (at least 32 bytes) when DATABASE_URL is set',
    );
  }
  return createSecretKey(Buffer.from(settings.JWT_SECRET ?? keptSecret(settings.DATA_DIR)));
}

function keptSecret(dataDir: string): string {
  const file = join(dataDir, 'jwt-secret');
  const secret = readOrCreate(dataDir, file);
  if (Buffer.byteLength(secret) < 32) {
    throw new Error(`DATA_DIR holds an unusable ${file}: delete it to have a new secret generated`);
  }
  return secret;
}

function readOrCreate(dataDir: string, file: string): string {
  try {
    mkdirSync(dataDir, { recursive: true });
    create(file);
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    throw new Error(`DATA_DIR ${dataDir} cannot be used: ${(error as Error).message}`, { cause: error });
  }
}

/** Creates the file unless it exists. */
function create(file: string): void {
  // The secret is written to a separate file and then linked. If two processes start at once on a new
  // directory, one link succeeds, and both processes read the same complete secret.
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, randomBytes(32).toString('base64url'), { mode: 0o600 });
  try {
    linkSync(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(draft);
  }
}
