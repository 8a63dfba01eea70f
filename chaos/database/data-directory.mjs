// The embedded database of a data directory, seen from outside.
import { execFileSync } from 'node:child_process';
import { readFileSync, readlinkSync, realpathSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { require } from '../run/wait.mjs';

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
    const copy = new DataDirectory(leftovers, directory);
    execFileSync('cp', ['-a', `${this.directory}/.`, copy.directory]);
    return copy;
  }

  /** Options of a connection as the service's role. @throws Error when no server runs */
  connection(database = ROLE) {
    const { port, socketDirectory } = this.#postmaster() ?? {};
    if (port === undefined) throw new Error(`No PostgreSQL runs in ${this.cluster}`);
    const host = socketDirectory === '' ? '127.0.0.1' : resolve(this.cluster, socketDirectory);
    return { host, port, user: ROLE, password: this.password, database };
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
    if (pid === undefined || !this.#isServer(pid)) return;
    process.kill(pid, signal);
    await require(`End of PostgreSQL ${pid}`, () => !this.#isServer(pid));
  }

  /** What the pid file says; undefined when there is none that is complete. */
  #postmaster() {
    try {
      const lines = readFileSync(join(this.cluster, 'postmaster.pid'), 'utf8').split('\n');
      const [pid, port] = [Number(lines[0]), Number(lines[3])];
      return pid > 0 && port > 0 ? { pid, port, socketDirectory: lines[4] ?? '' } : undefined;
    } catch {
      return undefined;
    }
  }

  /** Whether the process exists and works in the directory. Without /proc, existence is enough. */
  #isServer(pid) {
    try {
      process.kill(pid, 0);
      if (process.platform !== 'linux') return true;
      return readlinkSync(`/proc/${pid}/cwd`) === realpathSync(this.cluster);
    } catch {
      return false;
    }
  }
}
