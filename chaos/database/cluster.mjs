// A plain PostgreSQL on a port of the loopback interface, from the programs of the embedded one: the
// "external" database of the scenarios.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { closeSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../bench/support/free-port.mjs';
import { require } from '../run/wait.mjs';
import { built } from '../service/paths.mjs';
import { accepts, withClient } from './connect.mjs';
import { initialise } from './initialise.mjs';
import { endPostmaster } from './postmaster.mjs';

const { PROGRAM_ENV, identity, serviceAccount } = built('database/embedded/account.js');
const { nativeBinaries } = built('database/embedded/binaries.js');

const SUPERUSER = 'chaos';
const ROLE = 'fairlead';

// The machine does not lose power in these scenarios, only processes end. So nothing need reach the disk.
const SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  fsync: 'off',
  max_connections: '100',
  io_method: 'sync',
};

export class Cluster {
  #databases = 0;

  /** Makes a cluster with the role of the service, and starts it. */
  static async create(leftovers) {
    const account = await serviceAccount(undefined);
    const binaries = await nativeBinaries(account);
    const folder = mkdtempSync(join(tmpdir(), 'fairlead-chaos-'));
    const cluster = new Cluster({ account, binaries, folder, port: await freePort() });
    leftovers.add(() => rmSync(folder, { recursive: true, force: true }));
    leftovers.add(() => cluster.stop('SIGQUIT'));
    await initialise(cluster, SUPERUSER);
    await cluster.start();
    await cluster.asSuperuser('postgres', (client) =>
      client.query(`CREATE ROLE ${ROLE} LOGIN PASSWORD '${cluster.password}'`),
    );
    return cluster;
  }

  constructor({ account, binaries, folder, port }) {
    Object.assign(this, { account, binaries, folder, port });
    this.password = randomBytes(18).toString('base64url');
    this.directory = join(folder, 'data');
    this.logFile = join(folder, 'postgres.log');
  }

  /** Starts the server and waits until it accepts connections. Repeats while sessions of a killed one end. */
  async start() {
    let ended = true;
    await require('Start of PostgreSQL', async () => {
      if (ended) {
        ended = false;
        this.#spawn().once('exit', () => (ended = true));
      }
      return accepts(this.superuser('postgres'));
    });
  }

  /** @param signal SIGINT (fast), SIGQUIT (immediate) or SIGKILL */
  async stop(signal) {
    await endPostmaster(this.directory, signal);
  }

  /** The address of a database for the service. @param port that of a proxy */
  url(database, port = this.port) {
    return `postgres://${ROLE}:${this.password}@127.0.0.1:${port}/${database}`;
  }

  /** Options of a superuser's connection. */
  superuser(database) {
    return { host: '127.0.0.1', port: this.port, user: SUPERUSER, password: this.password, database };
  }

  asSuperuser(database, work) {
    return withClient(this.superuser(database), work);
  }

  /** Makes a database of the service's role. @param template a database without sessions */
  async createDatabase(name, template = 'template0') {
    await this.asSuperuser('postgres', async (client) => {
      // Sessions of a process that was just killed take a moment to end.
      await require(`No sessions in ${template}`, async () => {
        const { rows } = await client.query('SELECT FROM pg_stat_activity WHERE datname = $1', [template]);
        return rows.length === 0;
      });
      await client.query(`CREATE DATABASE ${name} TEMPLATE ${template} OWNER ${ROLE}`);
    });
    return name;
  }

  /** Makes a database with a name of its own. */
  newDatabase(template) {
    this.#databases += 1;
    return this.createDatabase(`chaos_${this.#databases}`, template);
  }

  #spawn() {
    const settings = Object.entries({ ...SETTINGS, port: this.port });
    const log = openSync(this.logFile, 'a');
    const child = spawn(
      this.binaries.postgres,
      ['-D', this.directory, ...settings.flatMap(([name, value]) => ['-c', `${name}=${value}`])],
      {
        cwd: this.directory,
        ...identity(this.account),
        env: PROGRAM_ENV,
        // Ctrl-C must reach this program only, which ends the server last.
        detached: true,
        stdio: ['ignore', log, log],
      },
    );
    closeSync(log);
    child.unref();
    return child;
  }
}
