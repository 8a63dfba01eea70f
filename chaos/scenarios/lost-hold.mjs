// The embedded database does not answer for long, and then a command ends: the service keeps its database.
import { setTimeout as sleep } from 'node:timers/promises';
import { expectServesAgain } from '../run/serves-again.mjs';
import { Site } from '../run/site.mjs';
import { require } from '../run/wait.mjs';
import { command } from '../service/command.mjs';
import { ENVIRONMENT } from '../service/environment.mjs';

/** Milliseconds for which the server is suspended. */
const SUSPENDED = 37_000;

/** Milliseconds in which the service serves again. */
const BOUND = 10_000;

const END_HOLD = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'fairlead-hold'`;

async function run(context) {
  const { findings, trials } = context;
  const site = await Site.embedded(context);
  await site.start();
  site.drive();
  const list = () => command(site.leftovers, { ...ENVIRONMENT, ...site.env }, { args: ['account', 'list'] });
  for (let trial = 0; trial < trials; trial++) {
    await site.progress();
    const { postmasterPid: pid } = site.data;
    await site.sql((client) => client.query(END_HOLD));
    process.kill(pid, 'SIGSTOP');
    await sleep(SUSPENDED);
    process.kill(pid, 'SIGCONT');
    const since = performance.now();
    await require('A ready service', async () => (await site.ask('/health/ready')).status === 200);
    await list();
    await expectServesAgain({ site, findings }, { bound: BOUND, since, what: 'a command has ended' });
    findings.trial();
    if (findings.failures.length > 0) break;
  }
  await findings.checked(site);
}

export const lostHold = { name: 'lost-hold', promise: 'P1 P4', trials: { quick: 0, long: 1 }, run };
