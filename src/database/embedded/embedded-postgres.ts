import { setTimeout as delay } from 'node:timers/promises';
import { reasonOf } from '../errors.js';
import { EmbeddedPostgresError, prepareDataDirectory } from './data-dir.js';
import { databaseUrl } from './start.js';
import { type Connection, type ServerContext, openServer, stopServer } from './server.js';

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 2_000;

/** Milliseconds without a further loss after which a server counts as back. */
const STEADY_MS = 5_000;

/** Location and settings of the embedded database. */
export interface EmbeddedOptions {
  /**
   * Directory for the database, its password and its log. It is created when missing. Relative to the working
   * directory.
   */
  readonly dataDir: string;
  /** Receives messages about progress, one sentence per call. */
  readonly log?: (message: string) => void;
  /**
   * Called at most once, when the server was lost and this process can never use it again: its directory was
   * removed or replaced, its password or its address changed, or it needs another major version of
   * PostgreSQL. Default: the message goes to `log`.
   */
  readonly onLost?: (error: EmbeddedPostgresError) => void;
  /**
   * Folders in which a copy of PostgreSQL's programs may be kept when they cannot be run where npm installed
   * them, best first. Default: a cache folder of this user, then the temporary directory.
   */
  readonly sharedDirs?: readonly string[] | undefined;
}

interface Context extends ServerContext {
  readonly onLost: (error: EmbeddedPostgresError) => void;
  /** Aborts `signal`. */
  readonly stopping: AbortController;
}

/**
 * A PostgreSQL server on this machine. It belongs to a data directory, not to a process. Any number of
 * processes may open the same directory at once. The last process that closes it stops the server. A server
 * whose processes have all ended is found and used again. A server that ends while it is open is started
 * again, at the same address.
 */
export class EmbeddedPostgres {
  /**
   * Address of the database for pg: `postgres://fairlead:<password>@<directory>:<port>/fairlead`. The host is
   * the percent-encoded directory of a Unix socket.
   */
  readonly url: string;
  /** The attempts to use the server again, or the last ones. Never rejects. */
  private returning: Promise<void> = Promise.resolve();
  private closing: Promise<void> | undefined;

  private constructor(
    private readonly context: Context,
    private connection: Connection,
    /** True if this call created the cluster. */
    readonly fresh: boolean,
  ) {
    this.url = databaseUrl(connection.directory, connection.password);
    this.watch();
  }

  /**
   * Starts the server of `dataDir`, or uses the one that runs. Initialises the directory the first time.
   *
   * @throws {EmbeddedPostgresError} with advice, when the machine has no build of PostgreSQL, the directory
   *   cannot be used, or the server does not start within 30 seconds
   */
  static async open({
    dataDir,
    log = () => undefined,
    onLost = ({ message }) => log(message),
    sharedDirs,
  }: EmbeddedOptions): Promise<EmbeddedPostgres> {
    const layout = await prepareDataDirectory(dataDir);
    const stopping = new AbortController();
    const server = {
      layout,
      sharedDirs,
      signal: stopping.signal,
    };
    const context = { ...server, stopping, log, onLost };
    const { connection, fresh } = await openServer(context);
    log(`The embedded PostgreSQL is running on a socket in ${connection.directory}.`);
    return new EmbeddedPostgres(context, connection, fresh);
  }

  /**
   * Releases the lock of this process. The last process that releases it stops the server (fast shutdown:
   * open sessions are closed) and waits until it has ended. Idempotent. Does nothing when the server has
   * ended already, or the lock was lost: whoever opens it next finds the server.
   *
   * @throws {EmbeddedPostgresError} when the server has not stopped after 30 seconds
   */
  async close(): Promise<void> {
    this.closing ??= this.release();
    return this.closing;
  }

  private watch(): void {
    void this.connection.hold.lost.then(() => {
      if (!this.context.signal.aborted) this.returning = this.bringBack();
    });
  }

  /**
   * Makes attempts to use the server again, without a limit of time, until it has answered and stayed, or no
   * attempt can succeed, or this is closed. Says so three times at most: when the server was lost, when the
   * first attempt fails, and when the server is back.
   */
  private async bringBack(): Promise<void> {
    const { signal, log, onLost } = this.context;
    const since = performance.now();
    let isExplained = false;
    log('The embedded PostgreSQL was lost; it is being brought back.');
    for (let pause = 0; ; pause = Math.min(2 * pause || FIRST_PAUSE_MS, LONGEST_PAUSE_MS)) {
      try {
        // A process that has nothing else to do need not wait for the server.
        await delay(pause, undefined, { signal, ref: false });
        this.connection = await this.reopen();
        const seconds = ((performance.now() - since) / 1000).toFixed(1);
        const isSteady = delay(STEADY_MS, true, { signal, ref: false });
        if (!(await Promise.race([isSteady, this.connection.hold.lost]))) continue;
        log(`The embedded PostgreSQL is back, ${seconds} s after it was lost.`);
        this.watch();
        return;
      } catch (error) {
        if (signal.aborted) return;
        if (error instanceof EmbeddedPostgresError && error.final) return onLost(error);
        if (isExplained) continue;
        isExplained = true;
        log(
          `The embedded PostgreSQL cannot be brought back yet; it is tried until it can be. ${reasonOf(error)}`,
        );
      }
    }
  }

  /** Makes one attempt to use the server again. @throws as `openServer`; a final error when it has moved */
  private async reopen(): Promise<Connection> {
    const { connection } = await openServer(this.context, this.connection);
    const { directory, hold } = connection;
    if (directory === this.connection.directory) return connection;
    await hold.disconnect();
    throw new EmbeddedPostgresError(
      `The database in ${this.context.layout.cluster} has moved to ${directory}, because its former address ` +
        'could not be used any more. Start Fairlead again.',
      { final: true },
    );
  }

  private async release(): Promise<void> {
    this.context.stopping.abort();
    await this.returning;
    const { context, connection } = this;
    const { hold, cluster } = connection;
    try {
      if (!(await hold.release())) return;
      await stopServer(context.layout, cluster);
      context.log('The embedded PostgreSQL has stopped.');
    } finally {
      await hold.disconnect();
    }
  }
}
