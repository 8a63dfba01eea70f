// npm run bench -- --against <folder>: the service of another built checkout beside this one. See bench/README.md.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { measure } from '../support/load.mjs';
import { startServer, stopServer } from '../support/processes.mjs';
import { sender, serviceOn, tokenOf } from '../support/service.mjs';
import { table } from '../support/table.mjs';
import { memoryOf } from '../support/usage.mjs';
import { requestTo } from './operations.mjs';
import { measureStart } from './start.mjs';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const { EmbeddedPostgres } = createRequire(import.meta.url)(
  '../../dist/src/database/embedded/embedded-postgres.js',
);

const CLIENTS = 32;
const DISPATCH = 'dispatch, 1 router';

/** The least rate of this checkout, as a part of that of the other. `many`: of ten accounts, one dispatches. */
const ROWS = [
  { name: 'GET', floor: 0.75 },
  { name: 'list 100', floor: 0.8 },
  { name: 'POST', floor: 0.65 },
  { name: 'PATCH', floor: 0.65 },
  { name: DISPATCH, floor: 0.9 },
  { name: 'dispatch, 16 routers', floor: 0.9 },
  { name: 'GET', many: true, floor: 0.85 },
  { name: 'POST', many: true, floor: 0.85 },
  { name: 'PATCH', many: true, floor: 0.85 },
];

/** Clients that dispatch, and seconds of load before a measurement, which do not count. */
const DISPATCHING = 3;
const WARM_UP = 1;

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
function median(values) {
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

/** Starts the service of a checkout on a database of its own. @param undo gets what ends it */
async function open(root, undo, records) {
  const folder = mkdtempSync(join(tmpdir(), 'fairlead-bench-'));
  undo.push(() => rmSync(folder, { recursive: true, force: true }));
  const postgres = await EmbeddedPostgres.open({ dataDir: join(folder, 'data'), maxConnections: 100 });
  undo.push(() => postgres.close());
  const { env, cli } = serviceOn(postgres.url, join(root, 'dist', 'src'));
  cli('migrate');
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

/** @returns the rates of a row: of the operation and, of many accounts, of the dispatches beside it */
async function rates({ address, accounts: [one, first, ...others] }, { name, many }, seconds) {
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
    : [measure([target(name)(one)], CLIENTS, seconds)];
  const results = await Promise.all(work);
  const failed = results.reduce((sum, each) => sum + each.failed, 0);
  if (failed > 0) throw new Error(`${name}: ${failed} answers were not 2xx`);
  return results.map(({ rate }) => rate);
}

/**
 * Measures both in turns and prints their rates. The exit code is 1 where a ratio is below its floor.
 * @param options rounds, seconds of a measurement, records of the account of one, whether a row is wanted
 */
export async function compareWith(folder, { rounds, seconds, records, isWanted, progress }) {
  const roots = [ROOT, resolve(folder)];
  const starts = [];
  for (const root of roots) starts.push(await measureStart(progress, join(root, 'dist', 'src', 'main.js')));
  const undo = [];
  try {
    const builds = [];
    for (const root of roots) {
      progress(`the service of ${root}`);
      builds.push(await open(root, undo, records));
    }
    const rows = ROWS.filter(isWanted).map((row) => ({ ...row, measured: [[], []] }));
    // The first round is short and does not count: code is compiled, and pages are read.
    for (let round = 0; round <= rounds; round++) {
      for (const row of rows) {
        progress(`round ${round} of ${rounds}: ${row.name}${row.many ? ', ten accounts' : ''}`);
        for (const which of round % 2 === 0 ? [0, 1] : [1, 0]) {
          await rates(builds[which], row, WARM_UP);
          const found = await rates(builds[which], row, round === 0 ? Math.min(1, seconds) : seconds);
          if (round > 0) row.measured[which].push(found);
        }
      }
    }
    progress('');
    const lines = rows.flatMap(({ name, many, floor, measured }) =>
      measured[0][0].map((_, part) => {
        const [own, other] = measured.map((of) => of.map((each) => each[part]));
        const ratio = median(own.map((rate, round) => rate / other[round]));
        if (ratio < floor) process.exitCode = 1;
        const what = part === 0 ? name : `${DISPATCH}, beside ${name}`;
        const figures = [...[own, other].map((each) => Math.round(median(each))), ratio.toFixed(2), floor];
        return [what, many ? 10 : 1, ...figures, ratio < floor ? 'FAILED' : 'passed'];
      }),
    );
    console.log(table(['operation', 'accounts', 'this', 'other', 'ratio', 'floor', ''], lines));
    for (const [index, name] of ['This', 'The other'].entries()) {
      const { now, most } = memoryOf(builds[index].child.pid) ?? {};
      console.log(
        `${name}: ready after ${starts[index].join(', ')} ms; ${now} MiB behind the load, ${most} at most.`,
      );
    }
  } finally {
    for (const step of undo.reverse()) await step();
  }
}
