// npm run chaos: see chaos/README.md.
import { Lab } from './run/lab.mjs';
import { Leftovers } from './run/leftovers.mjs';
import { countResults, resultTable } from './run/print-results.mjs';
import { runScenarios } from './run/run-scenarios.mjs';
import { readOptions } from './options.mjs';
import { SCENARIOS, SELF_TEST } from './scenarios/index.mjs';

const options = readOptionsOrExit();
const leftovers = new Leftovers();
// Processes and servers of their own would stay.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.once(signal, () => void leftovers.clear().finally(() => process.exit(1)));
}
const started = performance.now();
try {
  const chosen = SCENARIOS.filter(({ name }) => options.only.length === 0 || options.only.includes(name));
  const context = { lab: new Lab(leftovers, options), leftovers, options };
  // A checker that sees nothing would pass everything.
  const results = await runScenarios([SELF_TEST, ...chosen], context);
  const { passed, failed, notRun } = countResults(results);
  const seconds = ((performance.now() - started) / 1_000).toFixed(0);
  console.log(`\n${resultTable(results)}\n\nseed ${options.seed}, ${seconds} s, ${notRun} not run`);
  console.log(`${passed} passed, ${failed} failed`);
  process.exitCode = failed === 0 ? 0 : 1;
} finally {
  await leftovers.clear();
}

function readOptionsOrExit() {
  try {
    return readOptions(SCENARIOS.map(({ name }) => name));
  } catch (error) {
    console.error(error.message);
    process.exit(1);
  }
}
