// npm run chaos: see chaos/README.md.
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { table } from '../bench/support/table.mjs';
import { Leftovers } from './run/leftovers.mjs';
import { runScenarios } from './run/run-scenarios.mjs';
import { labOf } from './run/site.mjs';
import { LANES, SELF_TEST } from './scenarios/index.mjs';

const HEAD = ['promise', 'scenario', 'trials', 'acknowledged', 'unknown', 'worst s', 'took s', 'result'];

const options = readOptionsOrExit();
const leftovers = new Leftovers();
// Processes and servers of their own would stay.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => void endEarly());
process.once('uncaughtException', (error) => {
  console.error(error);
  void endEarly();
});
try {
  const run = (scenarios) => runScenarios(scenarios, { lab: labOf(leftovers), leftovers, options });
  // A checker that sees nothing would pass everything.
  const tested = await run([SELF_TEST]);
  const lanes = await Promise.all(LANES.map((lane) => run(lane.filter(isChosen))));
  const results = [...tested, ...lanes.flat()];
  const failed = results.filter(({ findings }) => findings.failures.length > 0).length;
  const notRun = results.filter(({ findings }) => findings.result.startsWith('not run')).length;
  const seconds = (performance.now() / 1_000).toFixed(0);
  options.progress(
    `\n${table(HEAD, results.map(row))}\n\nseed ${options.seed}, ${seconds} s, ${notRun} not run`,
  );
  options.progress(`${results.length - failed - notRun} passed, ${failed} failed`);
  process.exitCode = failed === 0 ? 0 : 1;
} finally {
  await leftovers.clear();
}

function row({ scenario: { promise, name }, findings, seconds }) {
  const { trials, acknowledged, unknown, worst, result } = findings;
  const slowest = worst === undefined ? '-' : (worst / 1_000).toFixed(2);
  return [promise, name, trials, acknowledged, unknown, slowest, seconds.toFixed(0), result];
}

/** Scenarios fail then, which says nothing. */
async function endEarly() {
  options.progress = () => undefined;
  await leftovers.clear().catch((error) => console.error(error.message));
  process.exit(1);
}

/** Some scenarios are for long runs only, unless they are named. */
function isChosen({ name, trials }) {
  return options.only.length === 0 ? options.long || trials.quick > 0 : options.only.includes(name);
}

function readOptionsOrExit() {
  try {
    return readOptions(LANES.flat().map(({ name }) => name));
  } catch (error) {
    console.error(error.message);
    process.exit(1);
  }
}

/** @param names of the scenarios @throws Error for an unknown option or scenario */
function readOptions(names) {
  const { values } = parseArgs({
    options: {
      long: { type: 'boolean', default: false },
      only: { type: 'string', multiple: true, default: [] },
      seed: { type: 'string' },
      previous: { type: 'string' },
    },
  });
  const seed = values.seed === undefined ? Math.floor(Math.random() * 2 ** 20) : Number(values.seed);
  if (!Number.isSafeInteger(seed) || seed < 0)
    throw new Error(`--seed must be a whole number, not ${values.seed}`);
  const unknown = values.only.filter((name) => !names.includes(name));
  if (unknown.length > 0) throw new Error(`--only ${unknown[0]}: the scenarios are ${names.join(', ')}`);
  /** Revision of the previous release. */
  const previous =
    values.previous ?? readFileSync(new URL('previous-release', import.meta.url), 'utf8').trim();
  return { ...values, seed, previous, progress: (text) => console.log(text) };
}
