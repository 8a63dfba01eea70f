// Measures one service with different settings against each other, in one process and in turns.
import { fileURLToPath } from 'node:url';
import { measure } from './load.mjs';
import { startServer, stopServer } from './processes.mjs';
import { table } from './table.mjs';

/** Rounds that do not count: code is compiled. */
const WARM = 8;

const PROGRAM = fileURLToPath(new URL('variants-server.mjs', import.meta.url));

/** The options of a benchmark that compares variants, for parseArgs. */
export const VARIANT_OPTIONS = {
  rounds: { type: 'string', default: '80' },
  seconds: { type: 'string', default: '0.25' },
  clients: { type: 'string', default: '16' },
};

/**
 * Measures requests with each variant, and prints a table of each request.
 * @param variants settings by name; the first that counts is what the others are compared with
 * @param requests by name
 * @param subject of the variants, over their column; uncounted: variants that no table has
 * @param run rounds, seconds and clients
 */
export async function measureVariants(env, { variants, requests, subject, uncounted = [] }, run) {
  const server = await startServer(PROGRAM, { ...env, VARIANTS: JSON.stringify(variants) });
  try {
    for (const [name, request] of Object.entries(requests)) {
      process.stderr.write(`${name}, ${run.rounds} rounds\n`);
      const totals = await compareVariants(server.address, request, run);
      for (const each of uncounted) delete totals[each];
      const lines = table([subject, ...VARIANT_HEAD], variantRows(totals, run));
      console.log(`\n${name}, ${run.clients} clients\n${lines}`);
    }
  } finally {
    await stopServer(server);
  }
}

/**
 * Measures the variants in turn, beginning with another one each time.
 * @param address of the process
 * @returns answers and CPU time in ms of each
 */
async function compareVariants(address, request, { rounds, seconds, clients }) {
  const read = async () => (await fetch(address)).json();
  const { addresses } = await read();
  const names = Object.keys(addresses);
  const totals = Object.fromEntries(names.map((name) => [name, { answers: 0, cpu: 0 }]));
  for (let round = 0; round < rounds + WARM; round++) {
    for (const [index] of names.entries()) {
      const name = names[(index + round) % names.length];
      const before = (await read()).cpu;
      const { rate, failed } = await measure([{ url: addresses[name], ...request }], clients, seconds);
      if (failed > 0) throw new Error(`${failed} requests were refused`);
      if (round < WARM) continue;
      totals[name].answers += rate * seconds;
      totals[name].cpu += (await read()).cpu - before;
    }
  }
  return totals;
}

/** The columns of `variantRows`. */
const VARIANT_HEAD = ['requests/s', 'ratio', 'CPU ms each', 'ratio'];

/** One row for each variant, compared with the first. */
function variantRows(totals, { rounds, seconds }) {
  const cpuOf = ({ cpu, answers }) => cpu / answers;
  const [first] = Object.values(totals);
  return Object.entries(totals).map(([name, each]) => [
    name,
    (each.answers / (rounds * seconds)).toFixed(0),
    (each.answers / first.answers).toFixed(3),
    cpuOf(each).toFixed(4),
    (cpuOf(each) / cpuOf(first)).toFixed(3),
  ]);
}
