// npm run bench:throttles — what counting requests costs, and how exact several processes count. See bench/README.md.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { measure } from '../support/load.mjs';
import { measureAlone } from './alone.mjs';
import { startServer, stopServer } from '../support/processes.mjs';
import { sender, SERVER, serviceOn, tokenOf } from '../support/service.mjs';
import { table } from '../support/table.mjs';

const { EmbeddedPostgres } = createRequire(import.meta.url)(
  '../../dist/src/database/embedded/embedded-postgres.js',
);
const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '80' },
    seconds: { type: 'string', default: '0.25' },
    clients: { type: 'string', default: '16' },
    processes: { type: 'string', default: '2,4' },
    limit: { type: 'string', default: '6000' },
  },
});
const [rounds, seconds, clients, limit] = ['rounds', 'seconds', 'clients', 'limit'].map((name) =>
  Number(options[name]),
);
const processes = options.processes.split(',').map(Number);

/** Rounds that do not count: code is compiled. */
const WARM = 8;

/** One that no run reaches, and of which a hundredth is a few seconds' load, so that exchanges take place. */
const UNREACHED = '400000';

/** The process with the service without limits, twice to show what differs by chance, and with them. */
const BOTH = fileURLToPath(new URL('both-server.mjs', import.meta.url));

const progress = (text) => process.stderr.write(`${text}\n`);

/** Measures the services in turn, beginning with another one each time. @returns totals of each */
async function compare(address, request) {
  const read = async () => (await fetch(address)).json();
  const { addresses } = await read();
  const names = Object.keys(addresses);
  const totals = Object.fromEntries(names.map((name) => [name, { answers: 0, cpu: 0 }]));
  for (let round = 0; round < rounds + WARM; round++) {
    for (const [index] of names.entries()) {
      const name = names[(index + round) % names.length];
      const before = (await read()).cpu;
      const { rate, failed } = await measure([{ url: addresses[name], ...request }], clients, seconds);
      if (failed > 0) throw new Error(`${failed} requests were refused`);
      if (round < WARM) continue;
      totals[name].answers += rate * seconds;
      totals[name].cpu += (await read()).cpu - before;
    }
  }
  return totals;
}

/** One row for each service, compared with the one without limits. */
function rowsOf(totals) {
  const cpuOf = ({ cpu, answers }) => cpu / answers;
  return Object.entries(totals).map(([name, each]) => [
    name,
    (each.answers / (rounds * seconds)).toFixed(0),
    (each.answers / totals.without.answers).toFixed(3),
    cpuOf(each).toFixed(4),
    (cpuOf(each) / cpuOf(totals.without)).toFixed(3),
  ]);
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

const [without, withLimits] = measureAlone();
const added = (withLimits - without).toFixed(2);
console.log(`An answer by itself: ${without.toFixed(2)} µs of CPU, with limits ${added} µs more`);

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
  const both = await startServer(BOTH, { ...env, BENCH_LIMIT: UNREACHED });
  undo.push(() => stopServer(both));
  for (const [name, request] of Object.entries(requests)) {
    progress(`${name}, ${rounds} rounds`);
    const totals = await compare(both.address, request);
    console.log(`\n${name}, ${clients} clients\n${table(head, rowsOf(totals))}`);
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
