// Processes of the service and of PostgreSQL are killed or suspended under load.
import { setTimeout as sleep } from 'node:timers/promises';
import { sessionsOf } from '../database/connect.mjs';
import { expectServesAgain } from '../run/serves-again.mjs';
import { require } from '../run/wait.mjs';
import { ENVIRONMENT } from '../service/environment.mjs';
import { ServiceProcess } from '../service/programs.mjs';

/** Milliseconds of a start, about. */
const START = 1_500;

/** One in so many kills hits a process that starts. */
const MIDDLE_OF_START = 3;

/** Milliseconds for which the embedded server is suspended. */
const SUSPENDED = 37_000;

const END_HOLD = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'fairlead-hold'`;

/** The service is killed, also in the middle of a start, and every second time its embedded database. */
const appKills = {
  promise: 'P1 P3',
  trials: { quick: 3, long: 25 },
  requests: 40,
  async trial({ site, random }, trial) {
    await Promise.all([site.services[0].kill(), trial % 2 === 0 && site.data?.end('SIGKILL')]);
    if (trial % MIDDLE_OF_START === 0) await killInStart(site, random);
    await site.start();
  },
};

export const appKillsExternal = { ...appKills, name: 'app-kills-external' };
export const appKillsEmbedded = { ...appKills, name: 'app-kills-embedded', database: 'embedded' };

async function killInStart(site, random) {
  const starting = new ServiceProcess(site.leftovers, { ...ENVIRONMENT, ...site.env });
  starting.listening().catch(() => undefined);
  await sleep(random.below(START));
  await starting.kill();
}

/** Sessions and the server are killed in turn, and the service is not restarted. */
const databaseKills = {
  promise: 'P1 P3 P4',
  requests: 40,
  async trial({ site, findings, random }, trial) {
    const since = performance.now();
    const isServer = trial % 2 === 0;
    if (isServer) await site.killServer();
    else await killSessions(site, random);
    const what = isServer ? 'the server is killed' : 'sessions are killed';
    await expectServesAgain({ site, findings }, { since, what });
    // A command is a user of the embedded database that comes and goes.
    if (site.data !== undefined) await site.command(['account', 'list']);
  },
};

export const databaseKillsExternal = {
  ...databaseKills,
  name: 'database-kills-external',
  trials: { quick: 4, long: 16 },
};
export const databaseKillsEmbedded = {
  ...databaseKills,
  name: 'database-kills-embedded',
  trials: { quick: 3, long: 16 },
  database: 'embedded',
  processes: 2,
};

/** Kills one to three sessions: PostgreSQL ends all others too, and recovers. They may end before they are killed. */
async function killSessions(site, random) {
  const pids = await site.sql(sessionsOf);
  for (const pid of pids.slice(0, 1 + random.below(3))) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch (error) {
      if (error.code !== 'ESRCH') throw error;
    }
  }
}

/** The embedded database does not answer for long, and then a command ends: the service keeps its database. */
export const lostHold = {
  name: 'lost-hold',
  promise: 'P1 P4',
  trials: { quick: 0, long: 1 },
  database: 'embedded',
  async trial({ site, findings }) {
    const { postmasterPid: pid } = site.data;
    await site.sql((client) => client.query(END_HOLD));
    process.kill(pid, 'SIGSTOP');
    await sleep(SUSPENDED);
    process.kill(pid, 'SIGCONT');
    const since = performance.now();
    await require('A ready service', async () => (await site.ask('/health/ready')).status === 200);
    await site.command(['account', 'list']);
    await expectServesAgain({ site, findings }, { since, what: 'a command has ended' });
  },
};
