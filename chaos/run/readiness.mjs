// Asks a process all the while whether it is ready.
import { Agent } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { ask } from '../driver/ask.mjs';
import { OwnStalls } from './own-stalls.mjs';

const INTERVAL = 200;

export class Readiness {
  /** The longest time of an answer in milliseconds, but for those in which this program stood still. */
  longest = 0;
  #stalls = new OwnStalls();
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
    this.#stalls.stop();
  }

  async #run(url) {
    while (this.#running) {
      const start = performance.now();
      await ask(this.#agent, `${url}/health/ready`);
      const end = performance.now();
      const time = end - start - this.#stalls.within(start, end);
      this.longest = Math.max(this.longest, time);
      await sleep(INTERVAL);
    }
  }
}
