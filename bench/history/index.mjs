// npm run bench:history — what the history of records costs a write. See bench/README.md.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { startServer, stopServer } from '../support/processes.mjs';
import { sender, SERVER, serviceOn, tokenOf } from '../support/service.mjs';
import { table } from '../support/table.mjs';
import { costOfStatements } from './statements.mjs';
import { compareVariants, startVariants, VARIANT_HEAD, variantRows } from '../support/variants.mjs';

const { EmbeddedPostgres } = createRequire(import.meta.url)(
  '../../dist/src/database/embedded/embedded-postgres.js',
);
const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '60' },
    seconds: { type: 'string', default: '0.25' },
    clients: { type: 'string', default: '16' },
    only: { type: 'string', default: '' },
  },
});
const { rounds, seconds, clients } = Object.fromEntries(
  Object.entries(options).map(([name, value]) => [name, Number(value)]),
);

/** Off and on, each twice to show what differs by chance. The first service of a process does not count. */
const OFF = { HISTORY: 'off' };
const VARIANTS = { first: OFF, off: OFF, on: {}, 'off again': OFF, 'on again': {} };

const RECORDS = 2_000;
const USERS = Array.from({ length: 10 }, (_, n) => ({ email: `user${n}@bench.test` }));
const ACCOUNT = {
  slug: 'bench',
  users: USERS,
  routers: [
    { name: 'One', object_type: 'contacts', published: true, settings: { overwrite: true }, users: USERS },
  ],
};
const CONTACT = {
  first_name: 'Ada',
  last_name: 'Lovelace',
  phone: '+44 20 7946 0000',
  job_title: 'Countess',
  company_name: 'Analytical Engines',
  country: 'United Kingdom',
  city: 'London',
};

const folder = mkdtempSync(join(tmpdir(), 'fairlead-bench-history-'));
const undo = [() => rmSync(folder, { recursive: true, force: true })];
try {
  const dataDir = join(folder, 'data');
  const postgres = await EmbeddedPostgres.open({ dataDir, maxConnections: 150 });
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
  const body = JSON.stringify({ fields: CONTACT });
  const ids = [];
  for (let n = 0; n < RECORDS; n++) ids.push((await send('POST', '/contacts', JSON.parse(body))).id);
  const { data: routers } = await send('GET', '/routers');
  await stopServer(first);

  const db = new pg.Client({ connectionString: postgres.url });
  await db.connect();
  undo.push(() => db.end());
  if ('statements'.includes(options.only))
    console.log(`\nPostgreSQL, one connection\n${await costOfStatements(db)}`);

  let changes = 0;
  const headers = { authorization: `Bearer ${token}` };
  const requests = {
    POST: { path: '/contacts', headers, bodies: body },
    PATCH: {
      method: 'PATCH',
      path: (n) => `/contacts/${ids[n % RECORDS]}`,
      headers,
      bodies: () => JSON.stringify({ fields: { city: `City ${changes++}` } }),
    },
    dispatch: {
      path: '/dispatch/router',
      headers,
      bodies: (n) => JSON.stringify({ router_id: routers[0].id, object_id: ids[n % RECORDS] }),
    },
  };
  const both = await startVariants(env, VARIANTS);
  undo.push(() => stopServer(both));
  for (const [name, request] of Object.entries(requests)) {
    if (!name.includes(options.only)) continue;
    process.stderr.write(`${name}, ${rounds} rounds\n`);
    const { first: _, ...totals } = await compareVariants(both.address, request, {
      rounds,
      seconds,
      clients,
    });
    const rows = variantRows(totals, { rounds, seconds });
    console.log(`\n${name}, ${clients} clients\n${table(['history', ...VARIANT_HEAD], rows)}`);
  }
} finally {
  for (const step of undo.reverse()) await step();
}
