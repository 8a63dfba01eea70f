// Asks a process all the while whether it is ready.
import { Agent } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { ask } from '../driver/ask.mjs';

const INTERVAL = 200;

export class Readiness {
  /** The longest time of an answer in milliseconds, without those in which the machine let it stand still. */
  longest = 0;
  #agent = new Agent({ keepAlive: true });
  #running = true;
  #work;

  /** @param service a process that is there until `stop` */
  constructor(leftovers, service) {
    leftovers.add(() => this.stop());
    this.#work = this.#run(service);
  }

  async stop() {
    this.#running = false;
    await this.#work;
    this.#agent.destroy();
  }

  async #run({ url, stalls }) {
    while (this.#running) {
      const start = performance.now();
      await ask(this.#agent, `${url}/health/ready`);
      const end = performance.now();
      const time = end - start - stalls.within(start, end);
      this.longest = Math.max(this.longest, time);
      await sleep(INTERVAL);
    }
  }
}
