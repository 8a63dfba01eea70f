// Clients that work at the same time, and what became of their requests.
import { randomOf } from '../../bench/support/random.mjs';
import { Client } from './client.mjs';
import { MIX } from './operations.mjs';

const DEFAULTS = {
  clients: 10,
  mix: MIX,
  /** Mean milliseconds between two requests of a client. */
  pause: 20,
  /** Milliseconds after which a client gives a request up. */
  timeout: 16_000,
  /** Whether clients send again what a 503 with Retry-After asks them to, and nothing else. */
  isObedient: false,
  /** Whether they send writes with keys, until it is known what became of each. The service must not end. */
  usesKeys: false,
  prefix: 'load',
  /** Services to which the clients are dealt out, by their numbers; or `target`, the one for all. */
  targets: 1,
};

export class Driver {
  #running = true;
  #work;

  /**
   * Starts the clients.
   * @param recorder files every request
   * @param options.urlOf returns the present address of a service, by its number
   * @param options.token, options.routers of the account
   * @param options.seed of the random choices; those of a client do not depend on the answers to others
   */
  constructor(recorder, options) {
    const all = { ...DEFAULTS, ...options };
    this.recorder = recorder;
    this.clients = Array.from({ length: all.clients }, (_, number) => {
      const random = randomOf(all.seed * 1_000 + number);
      const isRunning = () => this.#running;
      return new Client({
        ...all,
        recorder,
        number,
        random,
        isRunning,
        target: all.target ?? number % all.targets,
      });
    });
    this.#work = Promise.all(this.clients.map((client) => client.run()));
  }

  /** Lets every client finish its request. */
  async stop() {
    this.#running = false;
    await this.#work;
  }
}
