import { Client, type ClientConfig } from 'pg';
import { Hosts } from '../connection/hosts.js';
import { errorCode, NoHostError, reasonOf } from '../errors.js';
import { internalsOf, takeOver } from './driver.js';

/** Most milliseconds that a host may take while there are others to ask. */
const PATIENCE_MS = 1_000;

/** The options of a client of several hosts. */
interface HostsConfig extends ClientConfig {
  readonly hosts: Hosts;
  readonly connectionTimeoutMillis: number;
}

/** What pg must know of an address: several hosts, or a primary, need a client of their own. */
export interface Reach {
  readonly connectionString: string;
  readonly Client?: typeof HostsClient;
  readonly hosts?: Hosts;
}

/**
 * Returns what makes pg reach the hosts of an address.
 * @param options.spreads whether connections are dealt out evenly
 * @throws Error as `readDatabaseAddress`
 */
export function reach(url: string, options = { spreads: false }): Reach {
  const hosts = new Hosts(url, options);
  if (!hosts.isChoice) return { connectionString: url };
  return { connectionString: hosts.at(), Client: HostsClient, hosts };
}

/**
 * A client that asks the hosts of an address one after the other until one gives a connection that may be
 * used, within the time of one connection.
 */
export class HostsClient extends Client {
  readonly #config: HostsConfig;

  /** @param config with the hosts, as of `reach` */
  constructor(config?: string | ClientConfig) {
    super(config);
    this.#config = config as HostsConfig;
    // The pool listens to a connection a moment after it is made. Statements get the same error.
    this.on('error', () => undefined);
  }

  /** @throws NoHostError; what a host says that does not accept the user or the password, as libpq does */
  override connect(): Promise<Client>;
  override connect(callback: ((error: Error) => void) | ((error: null, client: Client) => void)): void;
  override connect(callback?: (error: never, client: never) => void): Promise<Client> | undefined {
    const connected = this.ask();
    if (callback === undefined) return connected;
    const answer = callback as (error: Error | null, client?: Client) => void;
    connected.then((client) => answer(null, client), answer);
    return undefined;
  }

  private async ask(): Promise<Client> {
    const { hosts, connectionTimeoutMillis } = this.#config;
    if (hosts.recentFailure !== undefined) throw hosts.recentFailure;
    const end = performance.now() + connectionTimeoutMillis;
    const order = hosts.inOrder();
    const errors: Error[] = [];
    let foundStandby = false;
    for (const [index, host] of order.entries()) {
      const [left, others] = [end - performance.now(), order.length - index - 1];
      if (left <= 0) break;
      // The last one may take all the time, unless a standby shows that there is another server to wait for.
      const patience = others === 0 && !foundStandby ? left : Math.min(PATIENCE_MS, left / (others + 1));
      try {
        takeOver(this, await this.attempt(host, patience));
        const { connection } = internalsOf(this);
        this.once(
          'end',
          hosts.connected(host, () => connection.stream.destroy()),
        );
        return this;
      } catch (error) {
        if (errorCode(error)?.startsWith('28') === true) throw error;
        if (error instanceof StandbyError) foundStandby = true;
        else hosts.failed(host);
        errors.push(new Error(`${decodeURIComponent(host)}: ${reasonOf(error)}`, { cause: error }));
      }
    }
    const error = new NoHostError(errors);
    if (foundStandby) hosts.foundNoPrimary(error);
    throw error;
  }

  /**
   * Returns a client that is connected to a host. What one that has failed still does, such as to prove the
   * password, is its own.
   */
  private async attempt(host: string, patience: number): Promise<Client> {
    const { hosts } = this.#config;
    const client = new Client({ ...this.#config, connectionString: hosts.at(host) });
    client.on('error', () => undefined);
    const { connection } = internalsOf(client);
    const status = new Map<string, string>();
    connection.on('parameterStatus', (told: { parameterName: string; parameterValue: string }) =>
      status.set(told.parameterName, told.parameterValue),
    );
    const timer = setTimeout(() => connection.stream.destroy(silent()), patience);
    try {
      await client.connect();
      if (hosts.wantsPrimary && (await isReadOnly(client, status))) throw new StandbyError();
      return client;
    } catch (error) {
      connection.stream.destroy();
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }
}

/** PostgreSQL 14 and later say so as the connection begins; a pooler may keep it to itself. */
async function isReadOnly(client: Client, status: ReadonlyMap<string, string>): Promise<boolean> {
  const told = ['in_hot_standby', 'default_transaction_read_only'].map((name) => status.get(name));
  if (told.includes('on')) return true;
  if (!told.includes(undefined)) return false;
  const { rows } = await client.query<{ transaction_read_only: string }>('SHOW transaction_read_only');
  return rows[0]?.transaction_read_only === 'on';
}

/** Whether an error says that a host has a server, which accepts no writes where one that does is wanted. */
export const isOfStandby = (error: unknown): boolean =>
  error instanceof NoHostError && error.errors.some(({ cause }: Error) => cause instanceof StandbyError);

/** A server that accepts no writes, where one that does is wanted. */
class StandbyError extends Error {
  /** As of a server that starts: it may become the primary. */
  readonly code = '57P03';

  constructor() {
    super('it is read-only, and target_session_attrs is read-write');
  }
}

const silent = (): Error => Object.assign(new Error('it does not answer in time'), { code: 'ETIMEDOUT' });
