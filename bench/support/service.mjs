// The commands and the requests of a service on a database of a benchmark.
import { execFileSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const DIST = join(dirname(fileURLToPath(import.meta.url)), '..', '..', 'dist', 'src');

/** The program of the server. */
export const SERVER = join(DIST, 'main.js');

/**
 * @param dist folder of the compiled sources of the service
 * @returns the environment of a service on that database, and a function that runs a command of it
 */
export function serviceOn(url, dist = DIST) {
  const env = {
    DATABASE_URL: url,
    JWT_SECRET: 'a-secret-for-benchmarks-of-32-bytes-or-more',
    PORT: '0',
    LOG_LEVEL: 'info',
    RATE_LIMIT_PER_CLIENT: '0',
    RATE_LIMIT_PER_ACCOUNT: '0',
  };
  const cli = (...args) =>
    execFileSync(process.execPath, [join(dist, 'cli.js'), ...args], {
      env: { ...process.env, ...env },
      maxBuffer: 2 ** 28,
    }).toString();
  return { env, cli };
}

/** @param client as `client create --json` prints it @returns a token of it */
export async function tokenOf(address, { client_id, client_secret }) {
  const { access_token } = await sender(address)('POST', '/oauth2/token', { client_id, client_secret });
  return access_token;
}

/** Sends requests, one after the other, over a connection that stays open. @throws Error where one fails */
export function sender(address, token) {
  const headers = {
    'content-type': 'application/json',
    ...(token ? { authorization: `Bearer ${token}` } : {}),
  };
  return async (method, path, body) => {
    const response = await fetch(`${address}${path}`, {
      method,
      headers,
      body: body && JSON.stringify(body),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return JSON.parse(text);
  };
}
