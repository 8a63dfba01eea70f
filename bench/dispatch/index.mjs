// npm run bench:dispatch — see bench/README.md.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execFileSync } from 'node:child_process';
import { median, measure } from '../support/load.mjs';
import { startServer, stopServer } from '../support/processes.mjs';
import { prepareBaseline, prepareService, singleCommits } from './prepare.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const { EmbeddedPostgres } = createRequire(import.meta.url)(
  '../../dist/src/database/embedded/embedded-postgres.js',
);

const numbers = (name, fallback) => (process.env[name] ?? fallback).split(',').map(Number);
const [rounds] = numbers('ROUNDS', '3');
const [seconds] = numbers('SECONDS', '4');
const clientCounts = numbers('CLIENTS', '1,16,64');
const processCounts = numbers('PROCESSES', '1,2');
const RECORDS = 4000;
const ROUTERS = 16;

const dataDir = mkdtempSync(join(tmpdir(), 'fairlead-bench-'));
const postgres = await EmbeddedPostgres.open({ dataDir, maxConnections: 200 });
const servers = [];
try {
  const env = {
    DATABASE_URL: postgres.url,
    DATABASE_POOL_SIZE: '20',
    JWT_SECRET: 'a-secret-for-benchmarks-of-32-bytes-or-more',
    PORT: '0',
    LOG_LEVEL: 'info',
    ROUTERS: String(ROUTERS),
  };
  const cli = (...args) =>
    execFileSync(process.execPath, [join(root, 'dist/src/cli.js'), ...args], {
      env: { ...process.env, ...env },
    }).toString();
  cli('migrate');
  writeFileSync(join(dataDir, 'bench.yaml'), configuration());
  cli('apply', join(dataDir, 'bench.yaml'));
  const credentials = JSON.parse(cli('client', 'create', '--account', 'bench', '--name', 'bench', '--json'));

  for (let n = 0; n < Math.max(...processCounts); n++) {
    servers.push({
      service: await startServer(join(root, 'dist/src/main.js'), env),
      baseline: await startServer(join(root, 'bench/dispatch/baseline-server.mjs'), env),
    });
  }
  const { headers, routers, objects } = await prepareService(
    servers[0].service.address,
    credentials,
    RECORDS,
  );
  await prepareBaseline(postgres.url, RECORDS, ROUTERS);

  const rates = new Map();
  const note = (key, value) => rates.set(key, [...(rates.get(key) ?? []), value]);
  for (let round = 1; round <= rounds; round++) {
    note('commits', await singleCommits(postgres.url, seconds));
    for (const processes of processCounts) {
      for (const clients of clientCounts) {
        for (const [name, targets] of scenarios(servers.slice(0, processes), headers, routers, objects)) {
          const { rate, failed } = await measure(targets, clients, seconds);
          if (failed > 0) console.error(`${name}: ${failed} answers were not 2xx`);
          note(`${processes}|${clients}|${name}`, rate);
        }
      }
    }
    console.error(`round ${round} of ${rounds} done`);
  }
  report(rates);
} finally {
  await Promise.all(servers.flatMap(({ service, baseline }) => [stopServer(service), stopServer(baseline)]));
  await postgres.close();
  rmSync(dataDir, { recursive: true, force: true });
}

function configuration() {
  const users = Array.from({ length: 10 }, (_, n) => `user${n}@bench.test`);
  const pool = users.map((email) => `{ email: ${email} }`).join(', ');
  const routers = Array.from(
    { length: ROUTERS },
    (_, n) =>
      `      - { name: R${n}, object_type: contacts, published: true, settings: { overwrite: true }, users: [${pool}] }`,
  );
  return `accounts:\n  - slug: bench\n    users: [${pool}]\n    routers:\n${routers.join('\n')}\n`;
}

function* scenarios(processes, headers, routers, objects) {
  const service = (path, bodies) =>
    processes.map(({ service: { address: url } }) => ({ url, path, headers, bodies }));
  const baseline = (path) =>
    processes.map(({ baseline: { address: url } }) => ({
      url,
      path,
      bodies: (n) => JSON.stringify({ object: (n * 7919) % RECORDS }),
    }));
  const dispatch = (router) => (n) =>
    JSON.stringify({ router_id: router(n), object_id: objects[(n * 7919) % objects.length] });
  yield [
    'POST /contacts',
    service('/contacts', (n) => JSON.stringify({ fields: { first_name: `Bench ${n}`, country: 'US' } })),
  ];
  yield [
    'dispatch, 1 router',
    service(
      '/dispatch/router',
      dispatch(() => routers[0]),
    ),
  ];
  yield [
    'dispatch, 16 routers',
    service(
      '/dispatch/router',
      dispatch((n) => routers[n % ROUTERS]),
    ),
  ];
  yield ['naive, 1 router', baseline('/naive?router=0')];
  yield ['naive, 16 routers', baseline('/naive')];
  yield ['one statement, 1 router', baseline('/one?router=0')];
  yield ['one statement, 16 routers', baseline('/one')];
}

function report(rates) {
  const commits = median(rates.get('commits'));
  console.log(
    `single commits of one connection: ${commits.toFixed(0)}/s (median of ${rounds} rounds of ${seconds} s)`,
  );
  for (const processes of processCounts) {
    for (const clients of clientCounts) {
      const post = median(rates.get(`${processes}|${clients}|POST /contacts`));
      console.log(`\n${processes} process(es), ${clients} client(s)`);
      for (const [key, values] of rates) {
        const [p, c, name] = key.split('|');
        if (Number(p) !== processes || Number(c) !== clients) continue;
        const rate = median(values);
        const spread = `${Math.min(...values).toFixed(0)}–${Math.max(...values).toFixed(0)}`;
        console.log(
          `  ${name.padEnd(26)} ${rate.toFixed(0).padStart(6)}/s  ${spread.padStart(13)}  x${(rate / post).toFixed(2)} of POST  x${(rate / commits).toFixed(2)} of commits`,
        );
      }
    }
  }
}
