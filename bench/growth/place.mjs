// An account of the growth benchmark, with its database and its server.
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { startServer, stopServer } from '../support/processes.mjs';
import { sender, SERVER, serviceOn, tokenOf } from '../support/service.mjs';
import { CONFIGURATION } from './configuration.mjs';
import { contactsByTier, load, waitForCounters, waitForCounts } from './load.mjs';

const { EmbeddedPostgres } = createRequire(import.meta.url)(
  '../../dist/src/database/embedded/embedded-postgres.js',
);
const CONTACTS = 500;

/**
 * Adds an account of a size to the places that are measured, on a database and a server of its own.
 * @param configuration a file that has at least what CONFIGURATION has
 */
export async function open(places, { size, dataDir, configuration = CONFIGURATION }) {
  const place = { size, postgres: await EmbeddedPostgres.open({ dataDir }) };
  places.push(place);
  const { url } = place.postgres;
  const { env, cli } = serviceOn(url);
  cli('migrate');
  const file = join(dataDir, 'bench.yaml');
  writeFileSync(file, configuration);
  cli('apply', file);
  const client = JSON.parse(cli('client', 'create', '--account', 'bench', '--name', 'bench', '--json'));
  place.server = await startServer(SERVER, env);
  const token = await tokenOf(place.server.address, client);
  place.send = sender(place.server.address, token);
  place.routers = await routersOf(place.send);
  const first = await place.send('POST', '/contacts', { fields: { first_name: 'First' } });
  await place.send('POST', '/dispatch/router', { router_id: place.routers.get('rr'), object_id: first.id });
  // The server keeps them from its next turn on. The load says that they are to be counted anew.
  await waitForCounters(url);
  const loading = performance.now();
  await load(url, size, [...place.routers.values()]);
  await stopServer(place.server);
  place.server = await startServer(SERVER, env);
  place.send = sender(place.server.address, token);
  console.error(`${size}: loaded in ${((performance.now() - loading) / 1_000).toFixed(0)} s`);
  place.contacts = await contactsByTier(url, CONTACTS);
  console.error(`${size}: counted in ${(await waitForCounts(url)).toFixed(0)} s`);
}

/** @returns the ids of all routers by their names */
async function routersOf(send) {
  const ids = new Map();
  for (let after = ''; after !== null;) {
    const { data, pagination } = await send('GET', `/routers?limit=100${after && `&after=${after}`}`);
    for (const { name, id } of data) ids.set(name, id);
    after = pagination.next;
  }
  return ids;
}
