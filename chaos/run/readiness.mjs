// Asks a process all the while whether it is ready.
import { Agent } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { ask } from '../driver/ask.mjs';

const INTERVAL = 200;

export class Readiness {
  /** The longest time of an answer in milliseconds. */
  longest = 0;
  #agent = new Agent({ keepAlive: true });
  #running = true;
  #work;

  constructor(leftovers, url) {
    leftovers.add(() => this.stop());
    this.#work = this.#run(url);
  }

  async stop() {
    this.#running = false;
    await this.#work;
    this.#agent.destroy();
  }

  async #run(url) {
    while (this.#running) {
      const start = performance.now();
      await ask(this.#agent, `${url}/health/ready`);
      this.longest = Math.max(this.longest, performance.now() - start);
      await sleep(INTERVAL);
    }
  }
}
