// Processes of the service are killed under load, also in the middle of a start.
import { setTimeout as sleep } from 'node:timers/promises';
import { randomOf } from '../../bench/support/random.mjs';
import { Site } from '../run/site.mjs';
import { ENVIRONMENT } from '../service/environment.mjs';
import { ServiceProcess } from '../service/service-process.mjs';

/** Requests that are acknowledged between two kills. */
const REQUESTS = 40;

/** Milliseconds of a start, about. */
const START = 1_500;

/** One in so many kills hits a process that starts. */
const MIDDLE_OF_START = 3;

async function killInStart(site, random) {
  const starting = new ServiceProcess(site.leftovers, { ...ENVIRONMENT, ...site.env });
  starting.listening().catch(() => undefined);
  await sleep(random.below(START));
  await starting.kill();
}

/** @param kill kills what else is to be killed with the process of a trial */
async function killAndRestart({ site, findings, trials, options }, kill) {
  const random = randomOf(options.seed);
  await site.start();
  site.drive();
  for (let trial = 1; trial <= trials; trial++) {
    await site.progress(REQUESTS);
    await Promise.all([site.services[0].kill(), kill(trial)]);
    if (trial % MIDDLE_OF_START === 0) await killInStart(site, random);
    await site.start();
    findings.trial();
  }
  await site.progress(REQUESTS);
  await findings.checked(site);
}

export const appKillsExternal = {
  name: 'app-kills-external',
  promise: 'P1 P3',
  trials: { quick: 3, long: 25 },
  run: async (context) => killAndRestart({ ...context, site: await Site.external(context) }, () => undefined),
};

export const appKillsEmbedded = {
  name: 'app-kills-embedded',
  promise: 'P1 P3',
  trials: { quick: 3, long: 25 },
  run: async (context) => {
    const site = await Site.embedded(context);
    // Every second time with the database.
    const kill = (trial) => trial % 2 === 0 && site.data.killPostmaster();
    await killAndRestart({ ...context, site }, kill);
  },
};
