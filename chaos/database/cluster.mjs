// A plain PostgreSQL, the "external" database of the scenarios: an embedded one that this program starts.
import { spawn } from 'node:child_process';
import { require } from '../run/wait.mjs';
import { built } from '../service/environment.mjs';
import { accepts, withClient } from './connect.mjs';
import { DataDirectory } from './data-directory.mjs';

const { PROGRAM_ENV, identity, ownDirectory, serviceAccount } = built('database/embedded/account.js');
const { nativeBinaries } = built('database/embedded/binaries.js');
const { runAsSuperuser } = built('database/embedded/init.js');

// The machine does not lose power in these scenarios, only processes end. So nothing need reach the disk.
const SETTINGS = {
  listen_addresses: '',
  unix_socket_directories: '.',
  fsync: 'off',
  max_connections: '100',
  io_method: 'sync',
};

/** A database that no scenario copies or makes fail. */
export const ADMIN = 'postgres';

/** PostgreSQL's programs, and the user that runs them. */
async function programs() {
  const account = await serviceAccount(undefined);
  return { account, binaries: await nativeBinaries(account) };
}

export class Cluster extends DataDirectory {
  #databases = 0;

  /** Starts the server of a stopped embedded database, whose role may make further databases then. */
  async open() {
    await this.asSuperuser(['ALTER ROLE fairlead CREATEDB']);
    await this.start();
  }

  /** Runs statements while no server runs. */
  async asSuperuser(statements) {
    await runAsSuperuser(this.cluster, statements, await programs());
  }

  /**
   * Starts the server and waits until it accepts connections. Repeats while sessions of a killed one end.
   * @param settings of PostgreSQL, beside the usual ones
   */
  async start(settings = {}) {
    const tools = await programs();
    let ended = true;
    await require('Start of PostgreSQL', async () => {
      if (ended) {
        ended = false;
        this.#spawn({ ...SETTINGS, ...settings }, tools).once('exit', () => (ended = true));
      }
      return accepts(this.connection(ADMIN));
    });
  }

  /** The address of a database, over a Unix socket. */
  url(database) {
    return `postgres://fairlead:${this.password}@${encodeURIComponent(this.cluster)}:5432/${database}`;
  }

  /** Makes a database with a name of its own. @param template a database without sessions */
  async newDatabase(template = 'template0') {
    this.#databases += 1;
    const name = `chaos_${this.#databases}`;
    await withClient(this.connection(ADMIN), async (client) => {
      // Sessions of a process that was just killed take a moment to end.
      await require(`No sessions in ${template}`, async () => {
        const { rows } = await client.query('SELECT FROM pg_stat_activity WHERE datname = $1', [template]);
        return rows.length === 0;
      });
      await client.query(`CREATE DATABASE ${name} TEMPLATE ${template}`);
    });
    return name;
  }

  #spawn(settings, { account, binaries }) {
    const given = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    const child = spawn(
      binaries.postgres,
      ['-D', ownDirectory(this.cluster, account), ...given],
      // Ctrl-C must reach this program only, which ends the server last.
      { cwd: this.cluster, ...identity(account), env: PROGRAM_ENV, detached: true, stdio: 'ignore' },
    );
    child.unref();
    return child;
  }
}
