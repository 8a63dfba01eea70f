// npm run bench:metrics — what measuring costs a request. See bench/README.md.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
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
  },
});
const run = Object.fromEntries(Object.entries(options).map(([name, value]) => [name, Number(value)]));

/**
 * Without metrics and with them, each twice to show what differs by chance. The first service of a process is up to a
 * tenth faster than those behind it, since its code was compiled for it alone: it does not count.
 */
const MEASURED = { METRICS_PORT: '0' };
const VARIANTS = { first: {}, without: {}, with: MEASURED, again: {}, 'with again': MEASURED };

const RECORDS = 500;

const USERS = Array.from({ length: 10 }, (_, n) => ({ email: `user${n}@bench.test` }));

const ACCOUNT = {
  slug: 'bench',
  users: USERS,
  routers: [
    { name: 'One', object_type: 'contacts', published: true, settings: { overwrite: true }, users: USERS },
  ],
};

const folder = mkdtempSync(join(tmpdir(), 'fairlead-bench-metrics-'));
const undo = [() => rmSync(folder, { recursive: true, force: true })];
try {
  const postgres = await EmbeddedPostgres.open({ dataDir: join(folder, 'data'), maxConnections: 150 });
  undo.push(() => postgres.close());
  const { env, cli } = serviceOn(postgres.url);
  cli('migrate');
  const file = join(folder, 'bench.yaml');
  writeFileSync(file, JSON.stringify({ accounts: [ACCOUNT] }));
  cli('apply', file);
  const client = JSON.parse(cli('client', 'create', '--account', 'bench', '--name', 'bench', '--json'));
  const first = await startServer(SERVER, env);
  const token = await tokenOf(first.address, client);
  const send = sender(first.address, token);
  const bodies = '{"fields":{"first_name":"Ada","last_name":"Lovelace"}}';
  // A record is in one transaction at a time.
  const ids = [];
  for (let n = 0; n < RECORDS; n++) ids.push((await send('POST', '/contacts', JSON.parse(bodies))).id);
  const { data: routers } = await send('GET', '/routers');
  await stopServer(first);
  const headers = { authorization: `Bearer ${token}` };
  const dispatch = (n) => JSON.stringify({ router_id: routers[0].id, object_id: ids[n % RECORDS] });
  const requests = {
    GET: { method: 'GET', path: `/contacts/${ids[0]}`, headers },
    POST: { path: '/contacts', headers, bodies },
    dispatch: { path: '/dispatch/router', headers, bodies: dispatch },
  };
  const both = await startVariants(env, VARIANTS);
  undo.push(() => stopServer(both));
  for (const [name, request] of Object.entries(requests)) {
    process.stderr.write(`${name}, ${run.rounds} rounds\n`);
    const { first: _, ...totals } = await compareVariants(both.address, request, run);
    const rows = variantRows(totals, run);
    console.log(`\n${name}, ${run.clients} clients\n${table(['metrics', ...VARIANT_HEAD], rows)}`);
  }
} finally {
  for (const step of undo.reverse()) await step();
}
