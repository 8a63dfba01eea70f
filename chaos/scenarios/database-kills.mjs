// Sessions and servers of PostgreSQL are killed, and the service is not restarted.
import { randomOf } from '../../bench/support/random.mjs';
import { sessionsOf } from '../database/sessions.mjs';
import { expectServesAgain } from '../run/serves-again.mjs';
import { Site } from '../run/site.mjs';
import { command } from '../service/command.mjs';
import { ENVIRONMENT } from '../service/environment.mjs';

/** Milliseconds in which the service serves again after its database can (promise P4). */
const BOUND = { external: 2_000, embedded: 10_000 };

const REQUESTS = 40;

/** Kills one to three sessions: PostgreSQL ends all others too, and recovers. */
async function killSessions(site, random) {
  const sessions = await site.sql(sessionsOf);
  const count = 1 + random.below(3);
  for (const { pid } of sessions.slice(0, count)) killIfThere(pid);
}

/** The others may end before they are killed. */
function killIfThere(pid) {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if (error.code !== 'ESRCH') throw error;
  }
}

/** @param options.killServer kills the server, and starts it again if nobody else does */
async function killDatabase({ site, findings, trials, options }, { bound, killServer, afterwards }) {
  const random = randomOf(options.seed);
  site.drive();
  for (let trial = 1; trial <= trials; trial++) {
    await site.progress(REQUESTS);
    const since = performance.now();
    const isServer = trial % 2 === 0;
    if (isServer) await killServer();
    else await killSessions(site, random);
    const what = isServer ? 'the server is killed' : 'sessions are killed';
    await expectServesAgain({ site, findings }, { bound, since, what });
    await afterwards?.();
    findings.trial();
    if (findings.failures.length > 0) break;
  }
  await findings.checked(site);
}

export const databaseKillsExternal = {
  name: 'database-kills-external',
  promise: 'P1 P3 P4',
  trials: { quick: 4, long: 16 },
  run: async (context) => {
    const site = await Site.external(context);
    await site.start();
    const killServer = async () => {
      await site.cluster.stop('SIGKILL');
      await site.cluster.start();
    };
    await killDatabase({ ...context, site }, { bound: BOUND.external, killServer });
  },
};

export const databaseKillsEmbedded = {
  name: 'database-kills-embedded',
  promise: 'P1 P3 P4',
  trials: { quick: 3, long: 16 },
  run: async (context) => {
    const site = await Site.embedded(context);
    await site.start(0);
    await site.start(1);
    // A command is a user of the database that comes and goes.
    const env = { ...ENVIRONMENT, ...site.env };
    const listAccounts = () => command(site.leftovers, env, { args: ['account', 'list'] });
    const killServer = () => site.data.killPostmaster();
    await listAccounts();
    await killDatabase({ ...context, site }, { bound: BOUND.embedded, killServer, afterwards: listAccounts });
  },
};
