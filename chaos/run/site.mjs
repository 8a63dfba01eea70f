// Processes of the service on one database, the clients that use them, and the check afterwards.
import { Agent } from 'node:http';
import { PostgresProxy, commitsAfter, executes } from '../../test/support/database/postgres-proxy.cjs';
import { check } from '../checker/check.mjs';
import { Cluster } from '../database/cluster.mjs';
import { accepts, withClient } from '../database/connect.mjs';
import { DataDirectory } from '../database/data-directory.mjs';
import { ask } from '../driver/ask.mjs';
import { Driver } from '../driver/driver.mjs';
import { Recorder } from '../driver/recorder.mjs';
import { prepareAccount } from '../service/account.mjs';
import { ENVIRONMENT } from '../service/environment.mjs';
import { ServiceProcess, command } from '../service/programs.mjs';
import { stalledWithin } from './stalls.mjs';
import { require } from './wait.mjs';

/** Milliseconds in which the database ends what killed processes have begun. */
const QUIET_MS = 60_000;

/** Milliseconds in which a service serves again after its database can (promise P4). */
const SERVES_WITHIN = { external: 2_000, embedded: 10_000 };

/** The last message of each kind of write. */
const WRITES = {
  create: executes('record_insert'),
  patch: executes('record_update'),
  delete: commitsAfter('record_archive'),
  dispatch: executes('dispatch_write_assignments'),
};

/**
 * What the scenarios of a lane share: databases with the account, from which each scenario takes a copy.
 * @returns functions of `{ data, account }`: a plain PostgreSQL that runs, and an embedded one that is stopped
 */
export function labOf(leftovers) {
  let external, embedded;
  return {
    external: () => (external ??= prepared(leftovers, new Cluster(leftovers))),
    embedded: () => (embedded ??= prepared(leftovers, new DataDirectory(leftovers))),
  };
}

async function prepared(leftovers, data) {
  const account = await prepareAccount(leftovers, { DATA_DIR: data.directory }, { folder: data.directory });
  await data.end('SIGINT');
  await data.open?.();
  return { data, account };
}

/** Makes one connection through a proxy fail at the next write of a kind, and waits until it has. */
export async function failNext(proxy, kind, fault) {
  proxy.failAt(WRITES[kind], fault);
  await require(`A ${kind} that fails`, () => proxy.hasFailed);
}

export class Site {
  recorder = new Recorder();
  /** The processes by the number of the target. */
  services = [];
  drivers = [];
  agent = new Agent({ keepAlive: true });
  urlOf = (target) => this.services[target].url;

  /** A site on a new database of the plain cluster, behind a proxy that scenarios can make fail. */
  static async external({ lab, leftovers, options }) {
    const { data: cluster, account } = await lab.external();
    const database = await cluster.newDatabase('fairlead');
    const proxy = await PostgresProxy.start(cluster.url(database), { isHalfOpen: true });
    leftovers.add(() => proxy.close());
    const parts = { leftovers, options, account, cluster, database, proxy };
    return new Site({ ...parts, env: { DATABASE_URL: proxy.url } });
  }

  /** A site on an embedded database. @param directory a place for it, else a temporary directory */
  static async embedded({ lab, leftovers, options }, directory) {
    const prepared = await lab.embedded();
    return Site.on(prepared.data.copy(leftovers, directory), {
      leftovers,
      options,
      account: prepared.account,
    });
  }

  /** A site on the embedded database of a directory. */
  static on(data, parts) {
    return new Site({ ...parts, data, env: { DATA_DIR: data.directory } });
  }

  /** @param parts `{ leftovers, options, account, env }`, and `{ cluster, database, proxy? }` or `{ data }` */
  constructor(parts) {
    Object.assign(this, parts);
    this.servesWithin = this.data === undefined ? SERVES_WITHIN.external : SERVES_WITHIN.embedded;
    this.leftovers.add(() => this.agent.destroy());
    this.leftovers.add(() => this.stopClients());
  }

  /** Options of a direct connection to the database. */
  connection() {
    return this.data?.connection() ?? this.cluster.connection(this.database);
  }

  /** Starts a process and gives its clients its address once it listens. */
  async start(target = 0, { env = {}, root } = {}) {
    const all = { ...ENVIRONMENT, ...this.env, ...env };
    const service = new ServiceProcess(this.leftovers, all, root);
    this.services[target] = await service.listening();
    return service;
  }

  /** Starts clients. @param options as of `Driver` */
  drive(options = {}) {
    const { token, routers } = this.account;
    const targets = this.services.length;
    const prefix = `load${this.drivers.length}`;
    const all = { urlOf: this.urlOf, token, routers, targets, prefix, seed: this.options.seed, ...options };
    const driver = new Driver(this.recorder, all);
    this.drivers.push(driver);
    return driver;
  }

  /** Asks a process something without the recorder. */
  ask(path, options = {}) {
    return ask(this.agent, `${this.services[0].url}${path}`, { token: this.account.token, ...options });
  }

  /** Runs a command on the database. @param options of `command` @returns what it printed */
  command(args, { env = {}, ...options } = {}) {
    return command(this.leftovers, { ...ENVIRONMENT, ...this.env, ...env }, { ...options, args });
  }

  /**
   * Milliseconds of a request without stalls. They count where the client has given up: when an answer would
   * have come is not known then.
   * @param pids of what the answer depends on; of the process that was asked, unless given
   */
  timeOf({ target, start, end, answers }, pids = [this.services[target].pid]) {
    const isAnswered = answers.every(({ error }) => error !== 'TIMEOUT');
    return end - start - (isAnswered ? stalledWithin(start, end, pids) : 0);
  }

  sql(work) {
    return withClient(this.connection(), work);
  }

  /** Kills the server of the database. That of the plain cluster is started again. */
  async killServer() {
    if (this.data !== undefined) return this.data.end('SIGKILL');
    await this.cluster.end('SIGKILL');
    await this.cluster.start();
  }

  /** Lets the clients finish their requests. */
  async stopClients() {
    await Promise.all(this.drivers.map((driver) => driver.stop()));
  }

  async databaseAccepts() {
    return accepts(this.connection());
  }

  /** Waits until clients have so many more acknowledged requests. */
  async progress(count = 30) {
    const since = performance.now();
    await require(`${count} acknowledged requests`, () =>
      this.recorder.count('acknowledged', since) >= count, { within: 60_000 });
  }

  /** Stops the clients, waits until the database is quiet, and checks the history. */
  async check() {
    await this.stopClients();
    // PostgreSQL would wait for the rest of what it has got in part over a silent connection.
    await this.proxy?.cut();
    await require('A database without running statements', () => this.sql(isQuiet), {
      within: QUIET_MS,
      every: 100,
    });
    return this.sql((client) => check(this.recorder, client, this.account.slug));
  }
}

async function isQuiet(client) {
  const { rows } = await client.query(
    `SELECT FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()
      AND application_name = 'fairlead' AND state <> 'idle'`,
  );
  return rows.length === 0;
}
