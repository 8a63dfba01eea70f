// npm run bench:creation -- --size 400000 — see bench/README.md.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { median } from '../support/load.mjs';
import { stopServer } from '../support/processes.mjs';
import { sender, serviceOn, tokenOf } from '../support/service.mjs';
import { table } from '../support/table.mjs';
import { withClient } from '../support/with-client.mjs';
import { CONFIGURATION, FREE } from './configuration.mjs';
import { open } from './place.mjs';

const { values } = parseArgs({ options: { size: { type: 'string', default: '400000' } } });
const size = Number(values.size);
const [BATCH, ROUNDS] = [500, 30];
const any = (list) => list[Math.floor(Math.random() * list.length)];
const email = (n) => `behind${n}@bench.test`;
const dataDir = mkdtempSync(join(tmpdir(), 'fairlead-creation-'));
const places = [];

/** Another account on the server of a place, which no statistics know: how it sends, and its router. */
async function newAccount({ postgres, server }) {
  const { cli } = serviceOn(postgres.url);
  const file = join(dataDir, 'new.yaml');
  writeFileSync(file, CONFIGURATION.replace('slug: bench', 'slug: new'));
  cli('apply', file);
  const client = JSON.parse(cli('client', 'create', '--account', 'new', '--name', 'new', '--json'));
  const send = sender(server.address, await tokenOf(server.address, client));
  const { data } = await send('GET', '/routers?limit=100');
  return { send, router_id: data.find(({ name }) => name === 'rr').id };
}

const owned = () => ({ conditions: [{ field: 'contact_owner', operator: 'eq', value: any(FREE) }] });

/** What is measured: a name, and what is sent. */
const requests = ({ send, router_id, ids }) => [
  ['list, first 100', () => send('GET', '/contacts?limit=100')],
  ['list at the end', () => send('GET', `/contacts?limit=100&offset=${size - 200}`)],
  ['GET', () => send('GET', `/contacts/${any(ids)}`)],
  ['GET by e-mail', () => send('GET', `/contacts/${email(ids.length)}?id_property=email`)],
  ['search by owner', () => send('POST', '/contacts/search', { filter: { groups: [owned()] }, limit: 10 })],
  ['PATCH', () => send('PATCH', `/contacts/${any(ids)}`, { fields: { city: `C ${Math.random()}` } })],
  ['dispatch', () => send('POST', '/dispatch/router', { router_id, object_id: any(ids) })],
];

/** @returns the median of each request in milliseconds */
async function measure(account) {
  const times = requests(account).map(() => []);
  for (let round = 0; round < ROUNDS; round++) {
    for (const [index, [, send]] of requests(account).entries()) {
      const started = performance.now();
      await send();
      times[index].push(performance.now() - started);
    }
  }
  return times.map(median);
}

try {
  await open(places, { size: 1_000, dataDir });
  const account = { ...(await newAccount(places[0])), ids: [] };
  for (let n = 0; n < size; n += BATCH) {
    const fields = (i) => ({ last_name: `B ${i}`, email: email(i), contact_owner: FREE[i % FREE.length] });
    const inputs = Array.from({ length: BATCH }, (_, i) => ({ fields: fields(n + i) }));
    const { results } = await account.send('POST', '/contacts/batch/create', { inputs });
    account.ids.push(any(results).record.id);
  }
  const atOnce = await measure(account);
  await withClient(places[0].postgres.url, (client) => client.query('VACUUM ANALYZE'));
  const later = await measure(account);
  const rows = requests(account).map(([name], n) => [
    name,
    ...[atOnce[n], later[n], atOnce[n] / later[n]].map((each) => each.toFixed(2)),
  ]);
  console.log(table(['p50 in ms', 'at once', 'vacuumed', 'times'], rows));
} finally {
  for (const { server, postgres } of places) {
    if (server !== undefined) await stopServer(server);
    await postgres.close();
  }
  rmSync(dataDir, { recursive: true, force: true });
}
