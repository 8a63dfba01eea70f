// npm run bench:cluster: the service on a Citus cluster beside the same on plain PostgreSQL. See bench/README.md.
import { parseArgs } from 'node:util';
import {
  createDatabase,
  dropDatabase,
  placeOf,
  postmasterOf,
} from '../../test/support/database/citus-databases.cjs';
import { DISPATCH, median, openSide, rates, ROOT } from '../requests/sides.mjs';
import { startServer, stopServer } from '../support/processes.mjs';
import { SERVER, serviceOn } from '../support/service.mjs';
import { table } from '../support/table.mjs';
import { cpuOf, cpuOfCluster } from '../support/usage.mjs';
import { withClient } from '../support/with-client.mjs';

const DATABASE = 'fairlead_bench';

/** The least rate at the node of the account, as a part of that on plain PostgreSQL; through another node, half of it. */
const OPERATIONS = [
  { name: 'GET', floor: 0.75 },
  { name: 'list 100', floor: 0.8 },
  { name: 'POST', floor: 0.6 },
  { name: 'PATCH', floor: 0.6 },
  { name: DISPATCH, floor: 0.6 },
];
const ROWS = [1, 32].flatMap((clients) => OPERATIONS.map((operation) => ({ ...operation, clients })));

/** Most CPU time of a request of 32 clients, as a part of that on plain PostgreSQL. */
const MOST_CPU = 1.6;

const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '3' },
    size: { type: 'string', default: '10000' },
  },
});
const [rounds, seconds, records] = [options.rounds, options.seconds, options.size].map(Number);
const { CITUS_URLS = '', PLAIN_URL = '' } = process.env;
if (CITUS_URLS === '' || PLAIN_URL === '') {
  throw new Error(
    'CITUS_URLS (the nodes, the coordinator first) and PLAIN_URL must be addresses of superusers',
  );
}
const nodes = CITUS_URLS.trim().split(/\s+/);
const at = (url) => Object.assign(new URL(url), { pathname: `/${DATABASE}` }).href;
const progress = (text) => console.error(text);
const onPlain = (text) => withClient(PLAIN_URL, (client) => client.query(text));

const undo = [];
try {
  await onPlain(`DROP DATABASE IF EXISTS ${DATABASE} WITH (FORCE)`);
  await onPlain(`CREATE DATABASE ${DATABASE}`);
  undo.push(() => onPlain(`DROP DATABASE ${DATABASE} WITH (FORCE)`));
  await createDatabase(DATABASE);
  undo.push(() => dropDatabase(DATABASE));
  progress('the service on plain PostgreSQL, and on the cluster');
  const plain = await openSide(ROOT, { undo, records, url: at(PLAIN_URL) });
  // The accounts are made through the coordinator.
  const made = await openSide(ROOT, { undo, records, url: at(nodes[0]), migrate: ['--distribute'] });
  const home = await placeOf(at(nodes[0]), 'one');
  const [inside, outside] = [nodes[home], nodes[(home + 1) % nodes.length]];
  // One host more than the node, so that connections go to the node of the account.
  const all = at(nodes[0]).replace(/@[^/]+/, `@${nodes.map((url) => new URL(url).host).join(',')}`);
  progress(`the account is at ${new URL(inside).host}; the other way is through ${new URL(outside).host}`);
  const sides = [
    { ...plain, servers: [PLAIN_URL] },
    { ...(await serverOn(all)), accounts: made.accounts, servers: nodes },
    { ...(await serverOn(at(outside))), accounts: made.accounts, servers: nodes },
  ];
  for (const side of sides) side.postmasters = await Promise.all(side.servers.map(postmasterOf));
  await compare(sides);
} finally {
  for (const step of undo.reverse()) await step();
}

async function serverOn(url) {
  const server = await startServer(SERVER, { ...serviceOn(url).env, DATABASE_POOL_SIZE: '20' });
  undo.push(() => stopServer(server));
  return server;
}

/** Measures all sides in turns and prints their rates. The exit code is 1 where a bound does not hold. */
async function compare(sides) {
  const rows = ROWS.map((row) => ({ ...row, measured: sides.map(() => []) }));
  // The first round does not count: code is compiled, and pages are read.
  for (let round = 0; round <= rounds; round++) {
    for (const row of rows) {
      progress(`round ${round} of ${rounds}: ${row.name}, ${row.clients} clients`);
      const order = sides.map((_, n) => (n + round) % sides.length);
      for (const which of order) {
        await rates(sides[which], row, 0.5);
        const before = cpu(sides[which]);
        const [rate] = await rates(sides[which], row, seconds);
        const [service, database] = cpu(sides[which]).map((ms, n) => (ms - before[n]) / (rate * seconds));
        if (round > 0) row.measured[which].push({ rate, used: service + database, service, database });
      }
    }
  }
  const failed = (isFailed) => {
    if (isFailed) process.exitCode = 1;
    return isFailed ? 'FAILED' : 'passed';
  };
  const lines = rows.map(({ name, clients, floor, measured }) => {
    const [base, ...others] = measured;
    const ratio = (side, of) => median(side.map((each, round) => each[of] / base[round][of]));
    const [inside, outside] = others.map((side) => ratio(side, 'rate'));
    const cost = ratio(others[0], 'used');
    const isLow = inside < floor || outside < floor / 2 || (clients > 1 && cost > MOST_CPU);
    return [
      ...[name, clients, Math.round(median(base.map(({ rate }) => rate)))],
      ...[inside, floor, outside, floor / 2, cost, ratio(others[1], 'used')].map((n) => n.toFixed(2)),
      failed(isLow),
    ];
  });
  const head = [
    'operation',
    'clients',
    'plain/s',
    'at its node',
    'floor',
    'another',
    'floor',
    'CPU',
    'another',
    '',
  ];
  console.log(table(head, lines));
  const costs = rows
    .filter(({ clients }) => clients > 1)
    .map(({ name, measured }) => [
      name,
      ...measured.flatMap((side) =>
        ['service', 'database'].map((of) => median(side.map((each) => each[of])).toFixed(2)),
      ),
    ]);
  const places = ['plain', 'at its node', 'another'].flatMap((place) => [`${place}: service`, 'database']);
  console.log(`\nCPU milliseconds of a request of 32 clients\n${table(['operation', ...places], costs)}`);
}

/** CPU milliseconds of a side: of the service, and of all processes of PostgreSQL. */
function cpu({ child, postmasters }) {
  return [cpuOf(child.pid), postmasters.reduce((sum, pid) => sum + cpuOfCluster(pid), 0)];
}
