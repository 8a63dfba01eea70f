// npm run bench:throttles — what counting requests costs, and how exact several processes count. See bench/README.md.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { measure } from '../support/load.mjs';
import { startServer, stopServer } from '../support/processes.mjs';
import { sender, SERVER, serviceOn, tokenOf } from '../support/service.mjs';
import { table } from '../support/table.mjs';
import { cpuOf } from '../support/usage.mjs';

const { EmbeddedPostgres } = createRequire(import.meta.url)(
  '../../dist/src/database/embedded/embedded-postgres.js',
);
const { values: options } = parseArgs({
  options: {
    starts: { type: 'string', default: '5' },
    rounds: { type: 'string', default: '4' },
    seconds: { type: 'string', default: '2' },
    clients: { type: 'string', default: '16' },
    processes: { type: 'string', default: '2,4' },
    limit: { type: 'string', default: '6000' },
  },
});
const [starts, rounds, seconds, clients, limit] = ['starts', 'rounds', 'seconds', 'clients', 'limit'].map(
  (name) => Number(options[name]),
);
const processes = options.processes.split(',').map(Number);

/** Limits that no run reaches, and of which a hundredth is a few seconds' load, so that exchanges take place. */
const MOST = { RATE_LIMIT_PER_CLIENT: '400000', RATE_LIMIT_PER_ACCOUNT: '400000' };

/** The two without limits show what differs by chance. */
const SETTINGS = { without: {}, again: {}, with: MOST };

const progress = (text) => process.stderr.write(`${text}\n`);

/** Answers of one server, and CPU milliseconds for them, while the others have as many clients. */
async function measureOne({ child, address }, request) {
  const before = cpuOf(child.pid);
  const { rate, failed } = await measure([{ url: address, ...request }], clients, seconds);
  if (failed > 0) throw new Error(`${failed} requests were refused`);
  return { answers: rate * seconds, cpu: cpuOf(child.pid) - before };
}

/** Measures the servers at the same time, so that other load on the machine affects them alike. */
async function compare(servers, request) {
  const results = [];
  for (let round = 0; round <= rounds; round++) {
    const measured = await Promise.all(
      Object.entries(servers).map(async ([name, server]) => [name, await measureOne(server, request)]),
    );
    // Code is compiled in the first round.
    if (round > 0) results.push(Object.fromEntries(measured));
  }
  return results;
}

/** One row for each server, of all rounds together, compared with the one without limits. */
function rowsOf(results) {
  const totals = Object.keys(SETTINGS).map((name) => {
    const sum = (key) => results.reduce((total, each) => total + each[name][key], 0);
    return { name, rate: sum('answers') / (results.length * seconds), cpu: sum('cpu') / sum('answers') };
  });
  const [base] = totals;
  return totals.map(({ name, rate, cpu }) => [
    name,
    rate.toFixed(0),
    (rate / base.rate).toFixed(3),
    cpu.toFixed(4),
    (cpu / base.cpu).toFixed(3),
  ]);
}

/** Starts a server of each kind. */
async function startAll(env) {
  const servers = {};
  for (const [name, settings] of Object.entries(SETTINGS)) {
    servers[name] = await startServer(SERVER, { ...env, ...settings });
  }
  return servers;
}

/** Sends as fast as it can to several processes with a limit. @returns how many requests were admitted */
async function admitted(env, count, { token, path }) {
  const limited = { ...env, RATE_LIMIT_PER_CLIENT: String(limit), RATE_LIMIT_PER_ACCOUNT: '0' };
  const servers = await Promise.all(Array.from({ length: count }, () => startServer(SERVER, limited)));
  try {
    const targets = servers.map(({ address }) => ({ url: address, method: 'GET', path, headers: token }));
    // Long enough to reach the limit, and far from the end of the minute.
    const time = 30;
    const { rate, failed } = await measure(targets, 2 * clients, time);
    if (failed === 0) throw new Error('The limit was not reached: give a lower --limit');
    return { good: Math.round(rate * time), refused: failed };
  } finally {
    await Promise.all(servers.map(stopServer));
  }
}

const folder = mkdtempSync(join(tmpdir(), 'fairlead-bench-throttles-'));
const undo = [() => rmSync(folder, { recursive: true, force: true })];
try {
  const postgres = await EmbeddedPostgres.open({ dataDir: join(folder, 'data'), maxConnections: 150 });
  undo.push(() => postgres.close());
  const { env, cli } = serviceOn(postgres.url);
  cli('migrate');
  const file = join(folder, 'bench.yaml');
  writeFileSync(file, 'accounts: [{ slug: bench }]');
  cli('apply', file);
  const newClient = () =>
    JSON.parse(cli('client', 'create', '--account', 'bench', '--name', 'bench', '--json'));
  const first = await startServer(SERVER, env);
  const { address } = first;
  const headersOf = async () => ({ authorization: `Bearer ${await tokenOf(address, newClient())}` });
  const headers = await headersOf();
  const { id } = await sender(address, headers.authorization.slice('Bearer '.length))('POST', '/contacts', {
    fields: { first_name: 'Ada', last_name: 'Lovelace' },
  });
  const path = `/contacts/${id}`;
  const tokens = [];
  for (const _ of processes) tokens.push(await headersOf());
  await stopServer(first);
  const requests = {
    GET: { method: 'GET', path, headers },
    POST: { path: '/contacts', headers, bodies: '{"fields":{"first_name":"Ada","last_name":"Lovelace"}}' },
  };
  const head = ['limits', 'requests/s', 'ratio', 'CPU ms each', 'ratio'];
  const results = { GET: [], POST: [] };
  // Two processes of the same program differ by some percent, so there are several of each kind.
  for (let start = 1; start <= starts; start++) {
    const servers = await startAll(env);
    undo.push(() => Promise.all(Object.values(servers).map(stopServer)));
    for (const [name, request] of Object.entries(requests)) {
      progress(`${name}, processes ${start} of ${starts}`);
      results[name].push(...(await compare(servers, request)));
    }
    await undo.pop()();
  }
  for (const [name, each] of Object.entries(results)) {
    console.log(`\n${name}, ${clients} clients of each\n${table(head, rowsOf(each))}`);
  }
  const rows = [];
  for (const [index, count] of processes.entries()) {
    progress(`${count} processes`);
    const { good, refused } = await admitted(env, count, { token: tokens[index], path });
    rows.push([count, good, `${((good / limit - 1) * 100).toFixed(1)} %`, refused]);
  }
  console.log(
    `\nA client with ${limit} requests a minute\n${table(['processes', 'admitted', 'beyond', 'refused'], rows)}`,
  );
} finally {
  for (const step of undo.reverse()) await step();
}
