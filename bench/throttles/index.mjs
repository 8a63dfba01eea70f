// npm run bench:throttles — what counting requests costs, and how exact several processes count. See bench/README.md.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { measure } from '../support/load.mjs';
import { measureAlone } from './alone.mjs';
import { startServer, stopServer } from '../support/processes.mjs';
import { sender, SERVER, serviceOn, tokenOf } from '../support/service.mjs';
import { table } from '../support/table.mjs';
import { compareVariants, startVariants, VARIANT_HEAD, variantRows } from '../support/variants.mjs';

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

/** One that no run reaches, and of which a hundredth is a few seconds' load, so that exchanges take place. */
const UNREACHED = '400000';

/** Settings of the services: without limits, twice to show what differs by chance, and with them. */
const limitedTo = (limit) => ({ RATE_LIMIT_PER_CLIENT: limit, RATE_LIMIT_PER_ACCOUNT: limit });
const VARIANTS = { without: limitedTo('0'), again: limitedTo('0'), with: limitedTo(UNREACHED) };

const progress = (text) => process.stderr.write(`${text}\n`);

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
  const head = ['limits', ...VARIANT_HEAD];
  const both = await startVariants(env, VARIANTS);
  undo.push(() => stopServer(both));
  for (const [name, request] of Object.entries(requests)) {
    progress(`${name}, ${rounds} rounds`);
    const totals = await compareVariants(both.address, request, { rounds, seconds, clients });
    console.log(`\n${name}, ${clients} clients\n${table(head, variantRows(totals, { rounds, seconds }))}`);
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
