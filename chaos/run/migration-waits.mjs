// How long statements of the service wait for a table that a migration has locked or is about to lock.
import { setTimeout as sleep } from 'node:timers/promises';
import { withClient } from '../database/connect.mjs';

const INTERVAL = 20;

/**
 * The waits for a table in a mode in which statements of the service lock tables. These modes do not exclude
 * each other, so it is a migration that they wait for.
 */
const WAITING = `SELECT extract(epoch FROM clock_timestamp() - waitstart) * 1000 AS milliseconds FROM pg_locks
  WHERE locktype = 'relation' AND NOT granted AND waitstart IS NOT NULL
    AND mode IN ('AccessShareLock', 'RowShareLock', 'RowExclusiveLock')`;

export class MigrationWaits {
  /** The longest wait in milliseconds. */
  longest = 0;
  #running = true;
  #work;

  /** @param connection options of a superuser's connection */
  constructor(leftovers, connection) {
    leftovers.add(() => this.stop());
    this.#work = withClient(connection, (client) => this.#run(client));
  }

  async stop() {
    this.#running = false;
    await this.#work;
  }

  async #run(client) {
    while (this.#running) {
      const { rows } = await client.query(WAITING);
      this.longest = Math.max(this.longest, ...rows.map(({ milliseconds }) => Number(milliseconds)));
      await sleep(INTERVAL);
    }
  }
}
