// An account of the growth benchmark, with its database and its server.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startServer, stopServer } from '../support/processes.mjs';
import { CONFIGURATION } from './configuration.mjs';
import { contactsByTier, load, waitForCounts } from './load.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const { EmbeddedPostgres } = createRequire(import.meta.url)(
  '../../dist/src/database/embedded/embedded-postgres.js',
);
const CONTACTS = 500;

/** Adds an account of a size to the places that are measured, on a database and a server of its own. */
export async function open(places, { size, dataDir }) {
  const place = { size, postgres: await EmbeddedPostgres.open({ dataDir, maxConnections: 50 }) };
  places.push(place);
  const { url } = place.postgres;
  const env = {
    DATABASE_URL: url,
    JWT_SECRET: 'a-secret-for-benchmarks-of-32-bytes-or-more',
    PORT: '0',
    LOG_LEVEL: 'info',
  };
  const cli = (...args) =>
    execFileSync(process.execPath, [join(root, 'dist/src/cli.js'), ...args], {
      env: { ...process.env, ...env },
    }).toString();
  cli('migrate');
  const file = join(dataDir, 'bench.yaml');
  writeFileSync(file, CONFIGURATION);
  cli('apply', file);
  const client = JSON.parse(cli('client', 'create', '--account', 'bench', '--name', 'bench', '--json'));
  place.server = await startServer(join(root, 'dist/src/main.js'), env);
  place.send = sender(place.server.address);
  const { access_token } = await place.send('POST', '/oauth2/token', {
    client_id: client.client_id,
    client_secret: client.client_secret,
  });
  place.send = sender(place.server.address, access_token);
  const { data } = await place.send('GET', '/routers?limit=100');
  place.routers = new Map(data.map(({ name, id }) => [name, id]));
  const first = await place.send('POST', '/contacts', { fields: { first_name: 'First' } });
  await place.send('POST', '/dispatch/router', { router_id: place.routers.get('rr'), object_id: first.id });
  const loading = performance.now();
  await load(url, size, [...place.routers.values()]);
  // It looks for logs to fold at its start, and once an hour.
  await stopServer(place.server);
  place.server = await startServer(join(root, 'dist/src/main.js'), env);
  place.send = sender(place.server.address, access_token);
  console.error(`${size}: loaded in ${((performance.now() - loading) / 1_000).toFixed(0)} s`);
  place.contacts = await contactsByTier(url, CONTACTS);
  console.error(`${size}: counted in ${(await waitForCounts(url)).toFixed(0)} s`);
}

/** Sends requests, one after the other, over a connection that stays open. @throws Error where one fails */
function sender(address, token) {
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
