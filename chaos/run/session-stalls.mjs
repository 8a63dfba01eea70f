// When the machine let sessions of the service in a database stand still.
import { setTimeout as sleep } from 'node:timers/promises';
import { withClient } from '../database/connect.mjs';
import { Stalls } from './stalls.mjs';

const INTERVAL = 100;

/** The sessions of all pools of the service. */
const SESSIONS = `SELECT pid FROM pg_stat_activity WHERE datname = current_database()
  AND application_name ~ '^fairlead' AND application_name <> 'fairlead chaos'`;

/** Stalls of every session, and of this program. */
export class SessionStalls extends Stalls {
  #running = true;
  #work;

  /** @param connection options of a superuser's connection */
  constructor(leftovers, connection) {
    super();
    leftovers.add(() => this.stop());
    this.#work = withClient(connection, (client) => this.#run(client));
  }

  async stop() {
    this.#running = false;
    await this.#work;
    super.stop();
  }

  async #run(client) {
    while (this.#running) {
      const { rows } = await client.query(SESSIONS);
      for (const { pid } of rows) this.watch(pid);
      await sleep(INTERVAL);
    }
  }
}
