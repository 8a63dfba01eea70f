// Processes of the service on one database, the clients that use them, and the check afterwards.
import { Agent } from 'node:http';
import { check } from '../checker/check.mjs';
import { accepts, withClient } from '../database/connect.mjs';
import { ask } from '../driver/ask.mjs';
import { Driver } from '../driver/driver.mjs';
import { Recorder } from '../driver/recorder.mjs';
import { PostgresProxy } from '../proxy/postgres-proxy.mjs';
import { ENVIRONMENT } from '../service/environment.mjs';
import { ServiceProcess } from '../service/service-process.mjs';
import { require } from './wait.mjs';

/** Milliseconds in which the database ends what killed processes have begun. */
const QUIET_MS = 60_000;

export class Site {
  recorder = new Recorder();
  /** The processes by the number of the target. */
  services = [];
  drivers = [];

  /** A site on a new database of the plain cluster, behind a proxy that scenarios can make fail. */
  static async external({ lab, leftovers, options }) {
    const { cluster, template, account } = await lab.external();
    const database = await cluster.newDatabase(template);
    const proxy = await PostgresProxy.start(leftovers, { host: '127.0.0.1', port: cluster.port });
    const connection = () => cluster.superuser(database);
    const env = { DATABASE_URL: cluster.url(database, proxy.port) };
    return new Site({ leftovers, options, account, connection, env, cluster, database, proxy });
  }

  /** A site on an embedded database. @param directory a place for it, else a temporary directory */
  static async embedded({ lab, leftovers, options }, directory) {
    const prepared = await lab.embedded();
    const data = prepared.data.copy(leftovers, directory);
    const connection = () => data.connection();
    return new Site({
      ...{ leftovers, options, account: prepared.account, connection, data },
      env: { DATA_DIR: data.directory },
    });
  }

  /** @param parts.connection returns the options of a direct connection to the database */
  constructor(parts) {
    Object.assign(this, parts);
    this.agent = new Agent({ keepAlive: true });
    this.urlOf = (target) => this.services[target].url;
    this.leftovers.add(() => this.agent.destroy());
    this.leftovers.add(() => this.stopClients());
  }

  /** Starts a process and gives its clients its address once it listens. */
  async start(target = 0, { env = {}, root } = {}) {
    const all = { ...ENVIRONMENT, ...this.env, ...env };
    const service = await ServiceProcess.start(this.leftovers, all, { root });
    this.services[target] = service;
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
  ask(path, { target = 0, ...options } = {}) {
    return ask(this.agent, `${this.services[target].url}${path}`, { token: this.account.token, ...options });
  }

  /**
   * Milliseconds of a request without stalls. They count where the client has given up: when an answer would
   * have come is not known then.
   * @param stalls of what the answer depends on; of the process that was asked, unless given
   */
  timeOf({ target, start, end, answers }, stalls = this.services[target].stalls) {
    const isAnswered = answers.every(({ error }) => error !== 'TIMEOUT');
    return end - start - (isAnswered ? stalls.within(start, end) : 0);
  }

  sql(work) {
    return withClient(this.connection(), work);
  }

  /** Lets the clients finish their requests. */
  async stopClients() {
    await Promise.all(this.drivers.map((driver) => driver.stop()));
  }

  async databaseAccepts() {
    return accepts(this.connection());
  }

  /** Waits until clients have so many more acknowledged requests. */
  async progress(count = 30, within = 60_000) {
    const since = performance.now();
    await require(`${count} acknowledged requests`, () =>
      this.recorder.count('acknowledged', since) >= count, { within });
  }

  /** Stops the clients, waits until the database is quiet, and checks the history. */
  async check() {
    await this.stopClients();
    await require('A database without running statements', () => this.sql(isQuiet), {
      within: QUIET_MS,
      every: 100,
    });
    return this.sql((client) => check(this.recorder, client));
  }
}

async function isQuiet(client) {
  const { rows } = await client.query(
    `SELECT FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()
      AND application_name = 'fairlead' AND state <> 'idle'`,
  );
  return rows.length === 0;
}
