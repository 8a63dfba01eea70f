// Runs the service tests on the Citus cluster that CITUS_URLS names: all that `npm test` runs by HTTP, the commands and
// the short concurrency, or the files that are given. Each test has a database of its own there. See docs/testing.md.
//   CITUS_URLS='postgres://postgres@127.0.0.1:6010/postgres …' node scripts/test-citus.mjs [path …]
// The addresses are those of the nodes, the coordinator first, of a superuser. CITUS_NODE: the place of the node that
// the service uses, from 0, or `all`: then its connections go to the node of each account. Ends with the exit code of jest.
import { spawnSync } from 'node:child_process';

if ((process.env.CITUS_URLS ?? '').trim() === '') {
  console.error(
    'CITUS_URLS is not set: the addresses of the nodes of a Citus cluster, the coordinator first',
  );
  process.exit(2);
}

/** What a cluster of a few nodes on one machine answers late is no failure of the service. */
const WORKERS = '1';

const paths = process.argv.slice(2);
const { status } = spawnSync(
  process.execPath,
  [
    'node_modules/jest/bin/jest.js',
    '--selectProjects',
    'service',
    '--config',
    'jest.config.cjs',
    '--maxWorkers',
    WORKERS,
    ...(paths.length > 0 ? paths : ['test/e2e', 'test/cli', 'test/concurrency']),
  ],
  { stdio: 'inherit' },
);
process.exit(status ?? 1);
