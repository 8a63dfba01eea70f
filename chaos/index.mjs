// npm run chaos: see chaos/README.md.
import { Lab } from './run/lab.mjs';
import { Leftovers } from './run/leftovers.mjs';
import { countResults, resultTable } from './run/print-results.mjs';
import { runScenarios } from './run/run-scenarios.mjs';
import { readOptions } from './options.mjs';
import { LANES, SELF_TEST } from './scenarios/index.mjs';

const options = readOptionsOrExit();
const leftovers = new Leftovers();
// Processes and servers of their own would stay.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => void endEarly());
process.once('uncaughtException', (error) => {
  console.error(error);
  void endEarly();
});
const started = performance.now();
try {
  const run = (scenarios) =>
    runScenarios(scenarios, { lab: new Lab(leftovers, options), leftovers, options });
  // A checker that sees nothing would pass everything.
  const tested = await run([SELF_TEST]);
  const lanes = await Promise.all(LANES.map((lane) => run(lane.filter(isChosen))));
  const results = [...tested, ...lanes.flat()];
  const { passed, failed, notRun } = countResults(results);
  const seconds = ((performance.now() - started) / 1_000).toFixed(0);
  options.progress(`\n${resultTable(results)}\n\nseed ${options.seed}, ${seconds} s, ${notRun} not run`);
  options.progress(`${passed} passed, ${failed} failed`);
  process.exitCode = failed === 0 ? 0 : 1;
} finally {
  await leftovers.clear();
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
