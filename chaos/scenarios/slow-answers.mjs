// Every answer of the database comes late, and then in time again.
import { setTimeout as sleep } from 'node:timers/promises';
import { Readiness } from '../run/readiness.mjs';
import { expectServesAgain } from '../run/serves-again.mjs';
import { Site } from '../run/site.mjs';
import { until } from '../run/wait.mjs';

/** Milliseconds by which each answer is delayed. */
const DELAYS = [800, 1_000, 2_400];

/** Milliseconds for which they are, and between two changes of the configuration in them. */
const PHASE = 20_000;
const CHANGE = 4_000;

/** Milliseconds of promises P5 and P4. */
const BOUND = { request: 15_000, readiness: 2_000, recovery: 2_000 };

/** Milliseconds by which measured times may exceed the bound on a busy machine. */
const MARGIN = 500;

/** Milliseconds after which a client gives up: a late answer must be told from none on a slow machine. */
const TIMEOUT = 20_000;

/** As `apply` does, beside the proxy: the service must load the configuration again. */
const changeConfiguration = (site) =>
  site.sql((client) => client.query('UPDATE accounts SET config_version = config_version + 1'));

async function delay({ site, findings }, milliseconds) {
  const what = `answers ${milliseconds / 1_000} s late`;
  const start = performance.now();
  site.proxy.delayAnswers(milliseconds);
  while (performance.now() - start < PHASE) {
    await changeConfiguration(site);
    await sleep(CHANGE);
  }
  const pending = site.recorder.pending;
  const since = performance.now();
  site.proxy.delayAnswers(0);
  await expectServesAgain({ site, findings }, { bound: BOUND.recovery, since, accepted: since, what });
  await until(() => pending.every(({ end }) => end !== undefined), { within: TIMEOUT + 2_000 });
  for (const request of site.recorder.requests) {
    if (request.end === undefined || request.end < start) continue;
    const bound = BOUND.request + MARGIN;
    findings.time(site.timeOf(request), { bound, what, request });
  }
}

async function run(context) {
  const { findings, trials } = context;
  const site = await Site.external(context);
  const service = await site.start();
  const readiness = new Readiness(site.leftovers, service);
  site.drive({ timeout: TIMEOUT });
  for (const milliseconds of Array(trials).fill(DELAYS).flat()) {
    await site.progress();
    await delay({ site, findings }, milliseconds);
    findings.trial();
  }
  await readiness.stop();
  findings.time(readiness.longest, { bound: BOUND.readiness + MARGIN, what: 'readiness' });
  await findings.checked(site);
}

export const slowAnswers = {
  name: 'slow-answers',
  promise: 'P1 P2 P4 P5',
  trials: { quick: 1, long: 3 },
  run,
};
