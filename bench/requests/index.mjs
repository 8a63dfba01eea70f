// npm run bench — see bench/README.md.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { measure } from '../support/load.mjs';
import { cpuOf, cpuOfCluster, memoryOf } from '../support/usage.mjs';
import { compareWith } from './against.mjs';
import { chart } from './chart.mjs';
import { isOwn, OPERATIONS, requestTo } from './operations.mjs';
import { summarise, tables } from './report.mjs';
import { Site } from './site.mjs';
import { measureStart } from './start.mjs';

const { values: options } = parseArgs({
  options: {
    size: { type: 'string', default: '10000' },
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '4' },
    only: { type: 'string', multiple: true, default: [] },
    save: { type: 'string' },
    against: { type: 'string' },
  },
});
const sizes = options.size.split(',').map(Number);
const [rounds, seconds] = [Number(options.rounds), Number(options.seconds)];
if (![rounds, seconds, ...sizes].every((n) => n > 0)) {
  throw new Error('--size, --rounds and --seconds must be positive numbers; --size may be a list of them');
}
const isWanted = ({ name }) => options.only.length === 0 || options.only.some((part) => name.includes(part));
/** Those asked for, and those by whose rates theirs are divided. */
const operations = OPERATIONS.filter(
  (operation) =>
    isWanted(operation) ||
    OPERATIONS.some(
      (other) => isWanted(other) && other.base === operation.name && other.clients === operation.clients,
    ),
);

/** One line that is written over, on a terminal. */
const progress = (text) => process.stderr.write(process.stderr.isTTY ? `\r\u001b[K${text}` : `${text}\n`);

if (options.against !== undefined) {
  await compareWith(options.against, { rounds, seconds, records: sizes[0], isWanted, progress });
  process.exit();
}

/** Seconds of load before a measurement, in which a server opens the connections that it has closed meanwhile. */
const WARM_UP = 1;

/** Rate, times and CPU milliseconds for each answer of one operation of one server. */
async function measureOne(site, { operation, server, account, seconds }) {
  const { name, clients } = operation;
  const { child, address } = site.servers.get(server) ?? {};
  const targets = [targetOf(server, { name, address, account })];
  await measure(targets, clients, WARM_UP);
  const before = { server: cpuOf(child?.pid), database: cpuOfCluster(site.postmaster) };
  const result = await measure(targets, clients, seconds);
  const answers = result.rate * seconds;
  const used = (now, then) => (now === undefined || then === undefined ? undefined : (now - then) / answers);
  return {
    ...result,
    serverCpu: used(cpuOf(child?.pid), before.server),
    databaseCpu: used(cpuOfCluster(site.postmaster), before.database),
  };
}

function targetOf(server, { name, address, account }) {
  const { headers, ...request } = requestTo(server, name, account);
  return {
    url: address,
    ...request,
    headers: { ...(isOwn(server) ? account.headers : {}), ...headers },
  };
}

const start = await measureStart(progress);
const site = await Site.create();
try {
  await site.load(sizes, progress);
  await site.start(progress);
  const isThere = (server) => site.servers.has(server);
  const results = [];
  // The first round is short and does not count: code is compiled, and pages are read.
  for (let round = 0; round <= rounds; round++) {
    for (const operation of operations) {
      for (const account of site.accounts) {
        for (const server of operation.servers.filter(isThere)) {
          progress(
            `round ${round} of ${rounds}: ${operation.name}, ${operation.clients} clients, ${account.size}, ${server}`,
          );
          const long = round === 0 ? Math.min(1, seconds) : seconds;
          const measured = await measureOne(site, { operation, server, account, seconds: long });
          if (round === 0) continue;
          const { name, clients, base } = operation;
          results.push({ operation: name, clients, base, size: account.size, server, ...measured });
        }
      }
    }
  }
  progress('');
  const summary = {
    options: { sizes, rounds, seconds },
    start,
    memory: memoryOf(site.servers.get('Fairlead').child.pid),
    missing: ['PostgREST'].filter((server) => !isThere(server)),
    rows: summarise(results),
  };
  console.log(tables(summary));
  if (options.save !== undefined) {
    const folder = join(dirname(fileURLToPath(import.meta.url)), '..', 'results');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `${options.save}.json`), `${JSON.stringify(summary, null, 2)}\n`);
    writeFileSync(join(folder, `${options.save}.svg`), chart(summary));
  }
} finally {
  await site.stop();
}
