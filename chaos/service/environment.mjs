// Where the project and its built parts are, and the settings of every process of the service.
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..', '..');

const load = createRequire(import.meta.url);

/** Loads a built module of the service. */
export const built = (path) => load(join(ROOT, 'dist', 'src', path));

export const ENVIRONMENT = {
  JWT_SECRET: 'a-secret-for-chaos-that-has-32-bytes-or-more',
  HOST: '127.0.0.1',
  PORT: '0',
  // The address is read from the log.
  LOG_LEVEL: 'info',
  DEMO: 'false',
  DRAIN_SECONDS: '0',
  RATE_LIMIT_PER_CLIENT: '0',
  RATE_LIMIT_PER_ACCOUNT: '0',
};
