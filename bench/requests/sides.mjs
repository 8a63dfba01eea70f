// The services that a benchmark measures beside each other, each on a database of its own.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { measure } from '../support/load.mjs';
import { startServer, stopServer } from '../support/processes.mjs';
import { sender, serviceOn, tokenOf } from '../support/service.mjs';
import { requestTo } from './operations.mjs';

/** The checkout of this file. */
export const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..', '..');

const { EmbeddedPostgres } = createRequire(import.meta.url)(
  '../../dist/src/database/embedded/embedded-postgres.js',
);

const CLIENTS = 32;
export const DISPATCH = 'dispatch, 1 router';

/** Clients that dispatch beside others. */
const DISPATCHING = 3;

/** Records of each of ten accounts, and of one request. */
const RECORDS = 1_000;
const BATCH = 500;

const USERS = Array.from({ length: 10 }, (_, n) => ({ email: `user${n}@bench.test` }));

const account = (slug, routers) => ({
  slug,
  users: USERS,
  routers: Array.from({ length: routers }, (_, n) => ({
    ...{ name: `R${n}`, object_type: 'contacts', published: true },
    ...{ settings: { overwrite: true }, users: USERS },
  })),
});
const ACCOUNTS = [account('one', 16), ...USERS.map((_, n) => account(`many-${n}`, 1))];

const contact = (n) => ({
  ...{ first_name: 'Ada', last_name: `Byron ${n}`, email: `c${n}@bench.test`, phone: `+44 20 7946 ${n}` },
  ...{
    contact_owner: USERS[n % USERS.length].email,
    job_title: 'Head of sales',
    city: 'London',
    country: 'GB',
  },
});

/**
 * The median, of an even number the mean of the two in the middle. That of load.mjs is the greater of them, which is
 * the better one of two rates.
 */
export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return (sorted[(sorted.length - 1) >> 1] + sorted[sorted.length >> 1]) / 2;
}

/** Fills an account through the API, which every release has. @returns what requests are made of */
async function fill(address, credentials, records) {
  const token = await tokenOf(address, credentials);
  const send = sender(address, token);
  const objects = [];
  while (objects.length < records) {
    const inputs = Array.from({ length: BATCH }, (_, n) => ({ fields: contact(objects.length + n) }));
    const { results } = await send('POST', '/contacts/batch/create', { inputs });
    objects.push(...results.map(({ record }) => record.id));
  }
  const { data } = await send('GET', '/routers?limit=100');
  return { objects, routers: data.map(({ id }) => id), headers: { authorization: `Bearer ${token}` } };
}

/** Starts an embedded server. @returns the address of its database */
async function embedded(folder, undo) {
  const postgres = await EmbeddedPostgres.open({ dataDir: join(folder, 'data') });
  undo.push(() => postgres.close());
  return postgres.url;
}

/**
 * Starts the service of a checkout on a database of its own, with its accounts.
 * @param options.undo gets what ends it
 * @param options.url of an empty database. Default: a new embedded one
 * @param options.migrate options of that command
 */
export async function openSide(root, { undo, records, url, migrate = [] }) {
  const folder = mkdtempSync(join(tmpdir(), 'fairlead-bench-'));
  undo.push(() => rmSync(folder, { recursive: true, force: true }));
  const { env, cli } = serviceOn(url ?? (await embedded(folder, undo)), join(root, 'dist', 'src'));
  cli('migrate', ...migrate);
  const file = join(folder, 'bench.yaml');
  writeFileSync(file, JSON.stringify({ accounts: ACCOUNTS }));
  cli('apply', file);
  const server = await startServer(join(root, 'dist', 'src', 'main.js'), {
    ...env,
    DATABASE_POOL_SIZE: '20',
  });
  undo.push(() => stopServer(server));
  const accounts = [];
  for (const { slug } of ACCOUNTS) {
    const client = cli('client', 'create', '--account', slug, '--name', 'bench', '--json');
    accounts.push(await fill(server.address, JSON.parse(client), slug === 'one' ? records : RECORDS));
  }
  return { ...server, accounts };
}

/**
 * @param row `clients` of one account. Default: 32
 * @returns the rates of a row: of the operation and, of many accounts, of the dispatches beside it
 */
export async function rates(
  { address, accounts: [one, first, ...others] },
  { name, many, clients = CLIENTS },
  seconds,
) {
  const target = (operation) => (from) => ({
    url: address,
    ...requestTo('Fairlead', operation, from),
    headers: from.headers,
  });
  const work = many
    ? [
        measure(others.map(target(name)), CLIENTS - DISPATCHING, seconds),
        measure([target(DISPATCH)(first)], DISPATCHING, seconds),
      ]
    : [measure([target(name)(one)], clients, seconds)];
  const results = await Promise.all(work);
  const failed = results.reduce((sum, each) => sum + each.failed, 0);
  if (failed > 0) throw new Error(`${name}: ${failed} answers were not 2xx`);
  return results.map(({ rate }) => rate);
}
