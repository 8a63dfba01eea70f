// Runs scenarios one after the other.
import { randomOf } from '../../bench/support/random.mjs';
import { Findings } from './findings.mjs';
import { Leftovers } from './leftovers.mjs';
import { Site } from './site.mjs';

/**
 * A scenario: `{ name, promise, trials: { quick, long }, run }`, where `run(context)` does it all; or, in place of
 * `run`, the parts of the usual course:
 *
 * - `database`: `external`, the default, or `embedded`; or `openSite(context)`, which returns no site to run nothing
 * - `processes`: how many are started. Default: 1
 * - `prepare(context)` what comes between them and the load
 * - `load`: options of `Driver`, or several
 * - `requests`: how many are acknowledged before each trial. Default: 30
 * - `trial(context, number)`: a fault, and what must hold while it lasts
 * - `judge(context)`: what must hold after the check
 *
 * The context has `{ lab, leftovers, options, findings, trials, random, site }`, and `began`, the instant of the
 * first trial.
 *
 * @returns the results, each { scenario, findings, seconds }
 */
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
      const context = { lab, leftovers: own, options, findings, trials, random: randomOf(options.seed) };
      await (scenario.run ?? ((all) => runTrials(scenario, all)))(context);
      if (findings.trials === 0 && findings.notRun === undefined) findings.fail('It has tried nothing');
    } catch (error) {
      findings.fail(error.stack);
    } finally {
      await own?.clear().catch((error) => findings.fail(`Clearing up: ${error.stack}`));
    }
    for (const text of findings.report(scenario.name)) options.progress(text);
    results.push({ scenario, findings, seconds: (performance.now() - started) / 1_000 });
  }
  return results;
}

async function runTrials(scenario, context) {
  const { findings, trials } = context;
  const { processes = 1, requests = 30, load = {} } = scenario;
  const site = await (scenario.openSite ?? Site[scenario.database ?? 'external'])(context);
  if (site === undefined) return;
  context.site = site;
  for (let target = 0; target < processes; target++) await site.start(target);
  await scenario.prepare?.(context);
  for (const each of [load].flat()) site.drive(each);
  // What fails once may make everything after it fail, too.
  for (let trial = 1; trial <= trials && findings.failures.length === 0; trial++) {
    await site.progress(requests);
    context.began ??= performance.now();
    await scenario.trial(context, trial);
    findings.trials += 1;
  }
  if (findings.failures.length === 0) await site.progress(requests);
  await findings.checked(site);
  await scenario.judge?.(context);
}
