// The embedded database of a data directory, seen from outside.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { require } from '../run/wait.mjs';
import { built } from '../service/environment.mjs';

const { parsePostmasterPid, processState } = built('database/embedded/data-dir.js');
const { SOCKET_PORT } = built('database/embedded/start.js');

const ROLE = 'fairlead';

export class DataDirectory {
  /** @param directory a new temporary one unless given */
  constructor(leftovers, directory = leftovers.directory()) {
    this.directory = directory;
    this.cluster = join(directory, 'postgres');
    // Whatever processes used the server are gone by then.
    leftovers.add(() => this.end('SIGQUIT'));
  }

  /** Copies the directory while no server runs in it. The owner of the cluster stays. */
  copy(leftovers, directory) {
    return this.copyTo(new DataDirectory(leftovers, directory));
  }

  /** Copies the directory to another one while no server runs in it. @returns the other one */
  copyTo(other) {
    execFileSync('cp', ['-a', `${this.directory}/.`, other.directory]);
    return other;
  }

  /** Options of a connection as the service's role. @throws Error when no server runs */
  connection(database = ROLE) {
    const host = this.#postmaster()?.directory;
    if (host === undefined) throw new Error(`No PostgreSQL runs in ${this.cluster}`);
    return { host, port: SOCKET_PORT, user: ROLE, password: this.password, database };
  }

  get password() {
    return readFileSync(join(this.directory, 'postgres-password'), 'utf8').trim();
  }

  get postmasterPid() {
    return this.#postmaster()?.pid;
  }

  /**
   * Sends a signal to the server, if it runs, and waits for its end.
   * @param signal SIGINT (fast), SIGQUIT (immediate) or SIGKILL, as a failing machine does
   */
  async end(signal) {
    const pid = this.postmasterPid;
    if (pid === undefined || !(await this.#isServer(pid))) return;
    process.kill(pid, signal);
    await require(`End of PostgreSQL ${pid}`, async () => !(await this.#isServer(pid)));
  }

  /** What the pid file says; undefined when there is none that is complete. */
  #postmaster() {
    try {
      return parsePostmasterPid(readFileSync(join(this.cluster, 'postmaster.pid'), 'utf8'), this.cluster);
    } catch {
      return undefined;
    }
  }

  async #isServer(pid) {
    return (await processState(pid, this.cluster)) === 'ours';
  }
}
