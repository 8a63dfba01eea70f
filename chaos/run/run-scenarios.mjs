// Runs scenarios one after the other.
import { Findings } from './findings.mjs';
import { historyOf } from './history.mjs';
import { Leftovers } from './leftovers.mjs';

/** Failures of a scenario that are printed. */
const MOST_PRINTED = 3;

/** @returns the results, each { scenario, findings, seconds } */
export async function runScenarios(scenarios, { lab, leftovers, options }) {
  const results = [];
  for (const scenario of scenarios) {
    options.progress(`${scenario.name} …`);
    const findings = new Findings();
    const started = performance.now();
    let own;
    try {
      own = new Leftovers(leftovers);
      const trials = (options.long ? scenario.trials.long : scenario.trials.quick) || 1;
      await scenario.run({ lab, leftovers: own, options, findings, trials });
      if (findings.trials === 0 && findings.notRun === undefined) findings.fail('It has tried nothing');
    } catch (error) {
      findings.fail(error.stack);
    } finally {
      await own?.clear().catch((error) => findings.fail(`Clearing up: ${error.stack}`));
    }
    const seconds = (performance.now() - started) / 1_000;
    for (const text of report(scenario, findings)) options.progress(text);
    results.push({ scenario, findings, seconds });
  }
  return results;
}

/** The failures with their histories. */
function report({ name }, { failures }) {
  const printed = failures.slice(0, MOST_PRINTED).flatMap((failure) => {
    const history = historyOf(failure).map((each) => `    ${each}`);
    return [`${name} FAILED: ${failure.text}`, ...history];
  });
  const more = failures.length - MOST_PRINTED;
  return more > 0 ? [...printed, `${name}: ${more} more failures`] : printed;
}
