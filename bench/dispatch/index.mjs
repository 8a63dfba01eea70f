// npm run bench:dispatch — see bench/README.md.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execFileSync } from 'node:child_process';
import { measure } from '../support/load.mjs';
import { startServer, stopServer } from '../support/processes.mjs';
import { countStatements } from './count-statements.mjs';
import { prepareBaseline, prepareService, singleCommits } from './prepare.mjs';
import { report } from './report.mjs';
import { ownScenarios, scenarios } from './scenarios.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const { EmbeddedPostgres } = createRequire(import.meta.url)(
  '../../dist/src/database/embedded/embedded-postgres.js',
);

const numbers = (name, fallback) => (process.env[name] ?? fallback).split(',').map(Number);
const [rounds] = numbers('ROUNDS', '3');
const [seconds] = numbers('SECONDS', '4');
const clientCounts = numbers('CLIENTS', '1,16,64');
const processCounts = numbers('PROCESSES', '1,2');
const routerCounts = numbers('ROUTERS', '1,16,200');
const RECORDS = 4000;

/** The builds to measure, by name. `COMPARE` is the `dist` folder of another one with the same schema. */
const builds = { '': join(root, 'dist') };
if (process.env.COMPARE !== undefined) builds['compared: '] = process.env.COMPARE;

const dataDir = mkdtempSync(join(tmpdir(), 'fairlead-bench-'));
const postgres = await EmbeddedPostgres.open({ dataDir, maxConnections: 200 });
const servers = [];
const start = async (script, env) => {
  const server = await startServer(script, env);
  servers.push(server);
  return server;
};
try {
  const env = {
    DATABASE_URL: postgres.url,
    DATABASE_POOL_SIZE: '20',
    JWT_SECRET: 'a-secret-for-benchmarks-of-32-bytes-or-more',
    PORT: '0',
    LOG_LEVEL: 'info',
    RATE_LIMIT_PER_CLIENT: '0',
    RATE_LIMIT_PER_ACCOUNT: '0',
  };
  const cli = (...args) =>
    execFileSync(process.execPath, [join(root, 'dist/src/cli.js'), ...args], {
      env: { ...process.env, ...env },
    }).toString();
  cli('migrate');
  writeFileSync(join(dataDir, 'bench.yaml'), configuration(Math.max(...routerCounts)));
  cli('apply', join(dataDir, 'bench.yaml'));
  const credentials = JSON.parse(cli('client', 'create', '--account', 'bench', '--name', 'bench', '--json'));

  const processes = [];
  for (let n = 0; n < Math.max(...processCounts); n++) {
    const started = { builds: {} };
    for (const [name, dist] of Object.entries(builds)) {
      started.builds[name] = await start(join(dist, 'src/main.js'), env);
    }
    started.baseline = await start(join(root, 'bench/dispatch/baseline-server.mjs'), env);
    processes.push(started);
  }
  const prepared = await prepareService(processes[0].builds[''].address, credentials, RECORDS);
  await prepareBaseline(postgres.url, RECORDS, Math.max(...routerCounts));

  const rates = new Map();
  const note = (key, value) => rates.set(key, [...(rates.get(key) ?? []), value]);
  for (let round = 1; round <= rounds; round++) {
    note('commits', await singleCommits(postgres.url, seconds));
    for (const count of processCounts) {
      for (const clients of clientCounts) {
        for (const [name, targets] of scenarios(processes.slice(0, count), prepared, routerCounts)) {
          const { rate, failed } = await measure(targets, clients, seconds);
          if (failed > 0) console.error(`${name}: ${failed} answers were not 2xx`);
          note(`${count}|${clients}|${name}`, rate);
        }
      }
    }
    console.error(`round ${round} of ${rounds} done`);
  }
  report(rates, { rounds, seconds, processCounts, clientCounts, builds: Object.keys(builds) });
  for (const [name, dist] of Object.entries(builds)) {
    const counted = await countStatements(join(dist, 'src/main.js'), env, {
      scenarios: (server) => ownScenarios({ [name]: server }, prepared, routerCounts),
      clientCounts,
      seconds,
    });
    console.log(`\n${counted}`);
  }
} finally {
  await Promise.all(servers.map(stopServer));
  await postgres.close();
  rmSync(dataDir, { recursive: true, force: true });
}

function configuration(routers) {
  const users = Array.from({ length: 10 }, (_, n) => `user${n}@bench.test`);
  const pool = users.map((email) => `{ email: ${email} }`).join(', ');
  const entries = Array.from(
    { length: routers },
    (_, n) =>
      `      - { name: R${n}, object_type: contacts, published: true, settings: { overwrite: true }, users: [${pool}] }`,
  );
  return `accounts:\n  - slug: bench\n    users: [${pool}]\n    routers:\n${entries.join('\n')}\n`;
}
