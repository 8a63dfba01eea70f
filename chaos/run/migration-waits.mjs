// How long statements of the service wait for a table that a migration has locked or is about to lock.
import { setTimeout as sleep } from 'node:timers/promises';
import { withClient } from '../database/connect.mjs';
import { Stalls } from './stalls.mjs';

const INTERVAL = 20;

/**
 * The waits for a table in a mode in which statements of the service lock tables, with the sessions that they
 * wait for. These modes do not exclude each other, so it is a migration that they wait for. Times are
 * milliseconds of the clock of the system.
 */
const WAITING = `SELECT pid, extract(epoch FROM waitstart) * 1000 AS since,
    extract(epoch FROM clock_timestamp()) * 1000 AS until, pg_blocking_pids(pid) AS blockers
  FROM pg_locks WHERE locktype = 'relation' AND NOT granted AND waitstart IS NOT NULL
    AND mode IN ('AccessShareLock', 'RowShareLock', 'RowExclusiveLock')`;

export class MigrationWaits {
  /** By session and begin, each wait as it was last seen: `{ from, to }`, by the monotonic clock. */
  #waits = new Map();
  #stalls = new Stalls();
  #running = true;
  #work;

  /** @param connection options of a superuser's connection */
  constructor(leftovers, connection) {
    leftovers.add(() => this.stop());
    this.#work = withClient(connection, (client) => this.#run(client));
  }

  /** Takes note of a process of the migration. */
  watch(pid) {
    this.#stalls.watch(pid);
  }

  /**
   * The longest wait in milliseconds, without those in which the machine let this program, the migration or a
   * session that was waited for stand still.
   */
  get longest() {
    const times = [...this.#waits.values()].map(({ from, to }) => to - from - this.#stalls.within(from, to));
    return Math.max(0, ...times);
  }

  async stop() {
    this.#running = false;
    await this.#work;
    this.#stalls.stop();
  }

  async #run(client) {
    while (this.#running) {
      const { rows } = await client.query(WAITING);
      for (const { pid, since, until, blockers } of rows) {
        const [from, to] = [since, until].map((time) => Number(time) - performance.timeOrigin);
        this.#waits.set(`${pid} ${since}`, { from, to });
        for (const blocker of blockers) this.watch(blocker);
      }
      await sleep(INTERVAL);
    }
  }
}
