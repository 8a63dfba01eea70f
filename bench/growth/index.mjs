// npm run bench:growth -- --size 10000,1000000 — see bench/README.md.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { keepResults } from '../support/keep-results.mjs';
import { median } from '../support/load.mjs';
import { stopServer } from '../support/processes.mjs';
import { table } from '../support/table.mjs';
import { DISPATCHES, FREE } from './configuration.mjs';
import { open } from './place.mjs';

const { values } = parseArgs({
  options: {
    size: { type: 'string', default: '10000,1000000' },
    rounds: { type: 'string', default: '40' },
    // Few at a time, so that what else the machine does affects all sizes.
    requests: { type: 'string', default: '4' },
  },
});
const sizes = values.size.split(',').map(Number);
const [rounds, requests] = [values.rounds, values.requests].map(Number);

const dataDir = mkdtempSync(join(tmpdir(), 'fairlead-growth-'));
const places = [];
try {
  for (const size of sizes) await open(places, { size, dataDir: join(dataDir, String(size)) });
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
  const get = (name, path) => ({ name, send: (place) => place.send('GET', path(place)) });
  const at90 = ({ size }) => Math.floor(size * 0.9);
  return [
    get('GET', ({ contacts }) => `/contacts/${any(contacts.get('won'))}`),
    get('list, first 100', () => '/contacts?limit=100'),
    get('list, limit=1', () => '/contacts?limit=1'),
    get('list at 90 %', (place) => `/contacts?limit=100&offset=${at90(place)}`),
    get('log, first page', () => '/assignments?limit=10'),
    get('log at 90 %', (place) => `/assignments?limit=10&offset=${Math.min(at90(place), 900_000)}`),
    get(
      'log of a router and a user',
      ({ routers }) => `/assignments?limit=10&router_id=${routers.get('rr')}&user=${FREE[0]}`,
    ),
    ...dispatches,
    { name: 'POST', send: ({ send }) => send('POST', '/contacts', { fields: { first_name: 'New' } }) },
    patch('PATCH of a field', () => ({ city: `City ${Math.random()}` })),
    patch('PATCH of a counted field', () => ({ tier: any(['won', 'open']) })),
    patch('PATCH of the owner', () => ({ contact_owner: any(FREE) })),
  ];
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
  console.log(`\n${keepResults('growth', { sizes, rounds, requests, results })}`);
}
