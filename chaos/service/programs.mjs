// Processes of the built service: the server, and commands of the command line.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { addressIn } from '../../bench/support/processes.mjs';
import { observe } from '../run/stalls.mjs';
import { ROOT } from './environment.mjs';

/** The last lines of standard error that are kept for messages. */
const KEPT_LINES = 10;

const START_MS = 60_000;

/** @returns a process that is killed with what else is left over, and the promise of its end */
function run(leftovers, env, args) {
  const child = spawn(process.execPath, args, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let forget;
  const exited = once(child, 'exit').finally(() => forget?.());
  forget = leftovers.add(async () => {
    child.kill('SIGKILL');
    await exited;
  });
  return { child, exited };
}

/**
 * Runs a command to its end.
 * @param options.root directory of the release to run
 * @param options.started is told the id of its process
 * @returns what it printed @throws Error with its messages when it fails
 */
export async function command(leftovers, env, { args, root = ROOT, started }) {
  const { child, exited } = run(leftovers, env, [join(root, 'dist/src/cli.js'), ...args]);
  if (child.pid !== undefined) started?.(child.pid);
  const [[code], stdout, stderr] = await Promise.all([exited, text(child.stdout), text(child.stderr)]);
  if (code !== 0) throw new Error(`fairlead ${args.join(' ')}: exit code ${code}\n${stderr}${stdout}`);
  return stdout;
}

export class ServiceProcess {
  /** The address, as http://127.0.0.1:<port>; undefined until it listens. */
  url;
  #errors = [];
  #listening;

  /**
   * Starts a process, and returns at once.
   * @param env settings of the service
   * @param root directory of the release to run
   */
  constructor(leftovers, env, root = ROOT) {
    const { child, exited } = run(leftovers, env, [join(root, 'dist/src/main.js')]);
    this.child = child;
    this.pid = child.pid;
    this.exited = exited;
    observe(this.pid);
    this.#listening = this.#readAddress();
    void this.#keepErrors();
  }

  /** Waits until it listens. @throws Error with its last lines when it ends before, or takes too long */
  async listening() {
    const late = sleep(START_MS, undefined, { ref: false });
    await Promise.race([this.#listening, this.exited, late]);
    const { exitCode, signalCode } = this.child;
    if (this.url !== undefined && exitCode === null && signalCode === null) return this;
    await this.kill();
    throw new Error(`The service did not start:\n${this.#errors.join('\n')}`);
  }

  /** Kills it, unless it has ended. */
  async kill() {
    this.child.kill('SIGKILL');
    await this.exited;
  }

  /** Stops it with SIGTERM. @returns { code, signal } of its end */
  async stop() {
    this.child.kill('SIGTERM');
    const [code, signal] = await this.exited;
    return { code, signal };
  }

  async #readAddress() {
    const address = await addressIn(this.child.stdout);
    if (address !== undefined) this.url = `http://127.0.0.1:${new URL(address).port}`;
  }

  async #keepErrors() {
    for await (const line of createInterface({ input: this.child.stderr })) {
      this.#errors.push(line);
      if (this.#errors.length > KEPT_LINES) this.#errors.shift();
    }
  }
}
