// What is asked all the while beside the load. Each returns a function that stops it.
import { Agent } from 'node:http';
import { connect } from '../database/connect.mjs';
import { ask } from '../driver/ask.mjs';
import { observe, stalledWithin } from './stalls.mjs';
import { repeat } from './wait.mjs';

/** Milliseconds between two looks at the readiness, the sessions and the locks. */
const EVERY = { readiness: 200, sessions: 100, locks: 20 };

/** The sessions of all pools of the service. */
const SESSIONS = `SELECT pid FROM pg_stat_activity WHERE datname = current_database()
  AND application_name ~ '^fairlead' AND application_name <> 'fairlead chaos'`;

/**
 * The waits for a table in a mode in which statements of the service lock tables, with the sessions that they
 * wait for. These modes do not exclude each other, so it is a migration that they wait for. Times are
 * milliseconds of the clock of the system.
 */
const WAITS = `SELECT pid, extract(epoch FROM waitstart) * 1000 AS since,
    extract(epoch FROM clock_timestamp()) * 1000 AS until, pg_blocking_pids(pid) AS blockers
  FROM pg_locks WHERE locktype = 'relation' AND NOT granted AND waitstart IS NOT NULL
    AND mode IN ('AccessShareLock', 'RowShareLock', 'RowExclusiveLock')`;

/** @returns a function that returns the longest time in milliseconds in which a process said whether it is ready */
export function watchReadiness({ leftovers, site }) {
  const { url, pid } = site.services[0];
  const agent = new Agent({ keepAlive: true });
  let longest = 0;
  const look = async () => {
    const start = performance.now();
    await ask(agent, `${url}/health/ready`);
    const end = performance.now();
    longest = Math.max(longest, end - start - stalledWithin(start, end, [pid]));
  };
  const stop = repeat(leftovers, look, EVERY.readiness);
  return async () => {
    await stop();
    agent.destroy();
    return longest;
  };
}

/** Observes the sessions of a site. @param pids a set to which their ids are added */
export function watchSessions({ leftovers, site }, pids) {
  return watchDatabase({ leftovers, site }, EVERY.sessions, async (client) => {
    for (const { pid } of (await client.query(SESSIONS)).rows) note(pids, pid);
  });
}

/**
 * @param pids a set of the processes of the migration, to which the sessions that were waited for are added
 * @returns a function that returns the longest time in milliseconds for which a statement waited for a table
 */
export function watchMigration({ leftovers, site }, pids) {
  /** By session and begin, each wait as it was last seen: `{ from, to }`, by the monotonic clock. */
  const waits = new Map();
  const stop = watchDatabase({ leftovers, site }, EVERY.locks, async (client) => {
    for (const { pid, since, until, blockers } of (await client.query(WAITS)).rows) {
      const [from, to] = [since, until].map((time) => Number(time) - performance.timeOrigin);
      waits.set(`${pid} ${since}`, { from, to });
      for (const blocker of blockers) note(pids, blocker);
    }
  });
  return async () => {
    await stop();
    return Math.max(
      0,
      ...[...waits.values()].map(({ from, to }) => to - from - stalledWithin(from, to, pids)),
    );
  };
}

/** Has a connection of its own for its looks. */
function watchDatabase({ leftovers, site }, every, look) {
  const connected = connect(site.connection());
  const stop = repeat(leftovers, async () => look(await connected), every);
  const end = async () => {
    await stop();
    await (await connected).end();
  };
  leftovers.add(end);
  return end;
}

function note(pids, pid) {
  pids.add(pid);
  observe(pid);
}
