// npm run bench:growth -- --size 10000,1000000 — see bench/README.md.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { median } from '../support/load.mjs';
import { startServer, stopServer } from '../support/processes.mjs';
import { table } from '../support/table.mjs';
import { CONFIGURATION, DISPATCHES, FREE } from './configuration.mjs';
import { contactsByTier, load, waitForCounts } from './load.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const { EmbeddedPostgres } = createRequire(import.meta.url)(
  '../../dist/src/database/embedded/embedded-postgres.js',
);
const { values } = parseArgs({
  options: {
    size: { type: 'string', default: '10000,1000000' },
    rounds: { type: 'string', default: '8' },
    requests: { type: 'string', default: '15' },
  },
});
const sizes = values.size.split(',').map(Number);
const [rounds, requests] = [values.rounds, values.requests].map(Number);
const CONTACTS = 500;

const dataDir = mkdtempSync(join(tmpdir(), 'fairlead-growth-'));
const places = [];
try {
  for (const size of sizes) await open(size);
  const times = new Map();
  for (let round = 0; round <= rounds; round++) {
    for (const request of requestsOf()) {
      for (const place of places) {
        for (let n = 0; n < requests; n++) {
          const ms = await time(() => request.send(place));
          // The first round warms up.
          if (round > 0) times.set(key(request, place), [...(times.get(key(request, place)) ?? []), ms]);
        }
      }
    }
    console.error(`round ${round} of ${rounds} done`);
  }
  report(times);
} finally {
  for (const { server, postgres } of places) {
    if (server !== undefined) await stopServer(server);
    await postgres.close();
  }
  rmSync(dataDir, { recursive: true, force: true });
}

/** An account of a size, on a database and a server of its own. */
async function open(size) {
  const dir = join(dataDir, String(size));
  const place = { size, postgres: await EmbeddedPostgres.open({ dataDir: dir, maxConnections: 50 }) };
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

/** What is measured. */
function requestsOf() {
  const any = (list) => list[Math.floor(Math.random() * list.length)];
  const dispatches = DISPATCHES.map(({ name, router, tier }) => ({
    name: `dispatch: ${name}`,
    send: ({ send, routers, contacts }) =>
      send('POST', '/dispatch/router', {
        router_id: routers.get(router),
        object_id: any(contacts.get(tier)),
      }),
  }));
  const patch = (name, fields) => ({
    name,
    send: ({ send, contacts }) =>
      send('PATCH', `/contacts/${any(contacts.get('lost'))}`, { fields: fields() }),
  });
  return [
    ...dispatches,
    { name: 'POST', send: ({ send }) => send('POST', '/contacts', { fields: { first_name: 'New' } }) },
    patch('PATCH of a field', () => ({ city: `City ${Math.random()}` })),
    patch('PATCH of a counted field', () => ({ tier: any(['won', 'open']) })),
    patch('PATCH of the owner', () => ({ contact_owner: any(FREE) })),
  ];
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

async function time(work) {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

function key({ name }, { size }) {
  return `${name}|${size}`;
}

/** Prints the medians, and writes them to bench/results. */
function report(times) {
  const results = requestsOf().map((request) => ({
    request: request.name,
    ms: Object.fromEntries(places.map((place) => [place.size, median(times.get(key(request, place)))])),
  }));
  const [first, ...others] = sizes;
  const rows = results.map(({ request, ms }) => [
    request,
    ms[first].toFixed(2),
    ...others.flatMap((size) => [ms[size].toFixed(2), (ms[size] / ms[first]).toFixed(2)]),
  ]);
  const head = ['p50 in ms', `${first}`, ...others.flatMap((size) => [`${size}`, 'times'])];
  console.log(table(head, rows));
  const folder = join(root, 'bench', 'results');
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `growth-${new Date().toISOString().replaceAll(':', '-').slice(0, 19)}.json`);
  writeFileSync(file, `${JSON.stringify({ sizes, rounds, requests, results }, null, 2)}\n`);
  console.log(`\n${file}`);
}
