// npm run bench:search -- --size 1000000 — see bench/README.md.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { median } from '../support/load.mjs';
import { startServer, stopServer } from '../support/processes.mjs';
import { sender, SERVER, serviceOn, tokenOf } from '../support/service.mjs';
import { table } from '../support/table.mjs';
import { withClient } from '../support/with-client.mjs';
import { CONFIGURATION, INDEXED, load, sample, waitForCounts, waitForIndexes } from './account.mjs';
import { planOf } from './plan.mjs';
import { LIMIT, searchesOf } from './searches.mjs';

const { EmbeddedPostgres } = createRequire(import.meta.url)(
  '../../dist/src/database/embedded/embedded-postgres.js',
);
const { values: options } = parseArgs({
  options: {
    size: { type: 'string', default: '1000000' },
    rounds: { type: 'string', default: '40' },
    // Few at a time, so that what else the machine does affects all of them.
    requests: { type: 'string', default: '4' },
    plans: { type: 'boolean', default: false },
  },
});
const [size, rounds, requests] = [options.size, options.rounds, options.requests].map(Number);

const folder = mkdtempSync(join(tmpdir(), 'fairlead-search-'));
const postgres = await EmbeddedPostgres.open({ dataDir: join(folder, 'data'), maxConnections: 50 });
const { url } = postgres;
let server;
try {
  const { env, cli } = serviceOn(url);
  const apply = (text) => {
    const file = join(folder, 'bench.yaml');
    writeFileSync(file, text);
    cli('apply', file);
  };
  cli('migrate');
  apply(CONFIGURATION);
  const client = JSON.parse(cli('client', 'create', '--account', 'bench', '--name', 'bench', '--json'));
  progress(`loading ${size} contacts`);
  await withClient(url, (db) => load(db, size));
  server = await startServer(SERVER, env);
  const send = sender(server.address, await tokenOf(server.address, client));
  apply(INDEXED);
  // The first search in this order asks for its index.
  await send('POST', '/contacts/search', { sort: ['-updated_at'], limit: 1 }).catch(() => undefined);
  const started = performance.now();
  await withClient(url, (db) => waitForIndexes(db, 4));
  progress(`4 indexes built in ${((performance.now() - started) / 1_000).toFixed(0)} s`);
  // A list that has to count what was loaded asks for that.
  await send('GET', '/contacts?limit=1');
  await withClient(url, (db) => waitForCounts(db, size));
  await withClient(url, (db) => db.query('VACUUM ANALYZE'));
  const { ids } = await withClient(url, (db) => sample(db));
  const searches = await searchesOf(send, ids);
  const times = new Map(searches.map(({ name }) => [name, []]));
  for (let round = 0; round <= rounds; round++) {
    for (const each of searches) {
      for (let n = 0; n < requests; n++) {
        const from = performance.now();
        const found = await each.send();
        // The first round warms up.
        if (round > 0) times.get(each.name).push(performance.now() - from);
        if (each.rows !== undefined && found.data.length !== each.rows)
          throw new Error(`${each.name}: ${found.data.length} rows`);
      }
    }
  }
  report(searches, times);
  if (options.plans) await writePlans(searches);
} finally {
  if (server !== undefined) await stopServer(server);
  await postgres.close();
  rmSync(folder, { recursive: true, force: true });
}

function progress(text) {
  process.stderr.write(`${text}\n`);
}

function report(searches, times) {
  const [get, list] = ['GET', 'list'].map((name) => median(times.get(name)));
  const rows = searches.map(({ name }) => {
    const ms = median(times.get(name));
    return [name, ms.toFixed(2), (ms / get).toFixed(2), (ms / list).toFixed(2)];
  });
  console.log(table([`p50 in ms, ${size} contacts`, 'ms', 'of GET', `of a list of ${LIMIT}`], rows));
}

/** Writes the plans of the pages beside this file. */
async function writePlans(searches) {
  const plans = [];
  for (const { name, body } of searches) {
    if (body !== undefined) plans.push(`${name}\n\n${await withClient(url, (db) => planOf(db, body))}\n`);
  }
  const file = join(dirname(fileURLToPath(import.meta.url)), 'plans.txt');
  const head = `Pages of ${LIMIT}, one account, ${size} contacts\n`;
  writeFileSync(file, [head, ...plans].join(`${'-'.repeat(80)}\n`));
}
