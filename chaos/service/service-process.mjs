// A process of the built service.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { Stalls } from '../run/stalls.mjs';
import { ROOT } from './paths.mjs';

/** The last lines of standard error that are kept for messages. */
const KEPT_LINES = 10;

const START_MS = 60_000;

export class ServiceProcess {
  /** The address, as http://127.0.0.1:<port>; undefined until it listens. */
  url;
  /** `{ code, signal, at }` once it has ended. */
  ended;
  /** When the machine let it or this program stand still. */
  stalls = new Stalls();
  #errors = [];

  /**
   * Starts a process, and returns at once.
   * @param env settings of the service
   * @param options.root directory of the release to run
   */
  constructor(leftovers, env, { root = ROOT } = {}) {
    this.child = spawn(process.execPath, [join(root, 'dist/src/main.js')], {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    if (this.pid !== undefined) this.stalls.watch(this.pid);
    this.exited = once(this.child, 'exit').then(([code, signal]) => {
      this.ended = { code, signal, at: performance.now() };
      this.stalls.stop();
      forget();
    });
    const forget = leftovers.add(() => this.kill());
    this.#listening = this.#readAddress();
    void this.#keepErrors();
  }

  #listening;

  static async start(leftovers, env, options) {
    const service = new ServiceProcess(leftovers, env, options);
    await service.listening();
    return service;
  }

  get pid() {
    return this.child.pid;
  }

  /** Waits until it listens. @throws Error with its last lines when it ends before, or takes too long */
  async listening() {
    const late = new AbortController();
    try {
      await Promise.race([
        this.#listening,
        this.exited,
        sleep(START_MS, undefined, { signal: late.signal, ref: false }),
      ]);
    } finally {
      late.abort();
    }
    if (this.url === undefined || this.ended) {
      await this.kill();
      throw new Error(`The service did not start:\n${this.#errors.join('\n')}`);
    }
    return this;
  }

  signal(name) {
    if (!this.ended) this.child.kill(name);
  }

  async kill() {
    this.signal('SIGKILL');
    await this.exited;
  }

  /** Stops it with SIGTERM. @returns how it ended */
  async stop() {
    this.signal('SIGTERM');
    await this.exited;
    return this.ended;
  }

  async #readAddress() {
    for await (const line of createInterface({ input: this.child.stdout })) {
      const address = line.startsWith('{') ? JSON.parse(line).address : undefined;
      if (address === undefined) continue;
      this.url = `http://127.0.0.1:${new URL(address).port}`;
      break;
    }
    // A pipe that nobody reads would stop the process.
    this.child.stdout.resume();
  }

  async #keepErrors() {
    for await (const line of createInterface({ input: this.child.stderr })) {
      this.#errors.push(line);
      if (this.#errors.length > KEPT_LINES) this.#errors.shift();
    }
  }
}
