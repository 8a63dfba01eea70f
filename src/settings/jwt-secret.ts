import { createSecretKey, randomBytes, type KeyObject } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { InvalidEnvironmentError } from './invalid-environment.error.js';
import type { Settings } from './settings.js';

/** Name of the file in `DATA_DIR` that keeps a generated secret. */
export const JWT_SECRET_FILE = 'jwt-secret';

const ADVICE = 'Set it to a directory that this user can write to.';

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
  return createSecretKey(Buffer.from(settings.JWT_SECRET ?? keptSecret(settings.DATA_DIR)));
}

/** Returns the HS256 keys that signed before, and only verify: `JWT_SECRET_PREVIOUS`. */
export function previousSecret({ JWT_SECRET_PREVIOUS }: Settings): KeyObject[] {
  return JWT_SECRET_PREVIOUS === undefined ? [] : [createSecretKey(Buffer.from(JWT_SECRET_PREVIOUS))];
}

function keptSecret(dataDir: string): string {
  const file = join(dataDir, JWT_SECRET_FILE);
  const secret = readOrCreate(dataDir, file);
  if (Buffer.byteLength(secret) < 32) {
    throw new Error(`DATA_DIR holds an unusable ${file}: delete it to have a new secret generated`);
  }
  return secret;
}

function readOrCreate(dataDir: string, file: string): string {
  try {
    makeDirectory(dataDir);
    create(file);
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    throw new Error(`DATA_DIR ${dataDir} cannot be used: ${(error as Error).message}. ${ADVICE}`, {
      cause: error,
    });
  }
}

/** Makes a directory and its parents. Node's own recursive mkdir never ends for some, as in /proc. */
function makeDirectory(path: string): void {
  if (existsSync(path)) return;
  // A root that there is not, such as a drive, has no parent.
  if (dirname(path) !== path) makeDirectory(dirname(path));
  try {
    mkdirSync(path);
  } catch (error) {
    // Another process may have made it.
    if (!existsSync(path)) throw error;
  }
}

/** Creates the file with a new secret, unless it exists. */
function create(file: string): void {
  // The file is written under another name and then linked: when two processes start at the same time, the
  // link of one of them fails, and both read the same complete secret.
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
