// The embedded database of a data directory, seen from outside.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { withClient } from './connect.mjs';
import { endPostmaster, postmasterOf } from './postmaster.mjs';

const ROLE = 'fairlead';

export class EmbeddedData {
  /** @param directory the data directory; a new temporary one unless given */
  constructor(leftovers, directory = mkdtempSync(join(tmpdir(), 'fairlead-chaos-'))) {
    this.directory = directory;
    this.cluster = join(directory, 'postgres');
    leftovers.add(() => rmSync(directory, { recursive: true, force: true }));
    // Whatever processes used the server are gone by then.
    leftovers.add(() => endPostmaster(this.cluster, 'SIGQUIT'));
  }

  /** Copies the directory while no server runs in it. The owner of the cluster stays. */
  copy(leftovers, directory) {
    const copy = new EmbeddedData(leftovers, directory);
    execFileSync('cp', ['-a', `${this.directory}/.`, copy.directory]);
    return copy;
  }

  /** Options of a connection as the service's role. @throws when no server runs */
  connection() {
    const { port, socketDirectory } = postmasterOf(this.cluster) ?? {};
    if (port === undefined) throw new Error(`No PostgreSQL runs in ${this.cluster}`);
    const host = socketDirectory === '' ? '127.0.0.1' : resolve(this.cluster, socketDirectory);
    const password = readFileSync(join(this.directory, 'postgres-password'), 'utf8').trim();
    return { host, port, user: ROLE, password, database: ROLE };
  }

  /** Runs `work` with a connection. */
  use(work) {
    return withClient(this.connection(), work);
  }

  get postmasterPid() {
    return postmasterOf(this.cluster)?.pid;
  }

  /** Kills the server as a failing machine does. */
  killPostmaster() {
    return endPostmaster(this.cluster, 'SIGKILL');
  }

  /** Stops the server, if it runs, after every process has ended. */
  stop() {
    return endPostmaster(this.cluster, 'SIGINT');
  }
}
