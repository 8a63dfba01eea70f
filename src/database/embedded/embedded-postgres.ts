import { type ClusterIdentity, requireUnchanged } from './cluster-identity.js';
import { SERVICE_ROLE } from './cluster-roles.js';
import { prepareDataDirectory } from './data-directory.js';
import type { EmbeddedOptions } from './embedded-options.js';
import { openServer } from './open-server.js';
import { prepareStart } from './prepare-start.js';
import { databaseUrl } from './server-address.js';
import { adoptServer } from './server-attachment.js';
import type { ServerHold } from './server-hold.js';
import { ServerKeeper } from './server-keeper.js';
import { reattachServer } from './server-reattachment.js';
import type { AttachContext } from './server-sighting.js';
import { stopServer } from './server-stopper.js';
import { newSessionName } from './session-name.js';

interface Opened {
  readonly url: string;
  readonly fresh: boolean;
  readonly context: AttachContext;
  readonly cluster: ClusterIdentity;
  readonly keeper: ServerKeeper;
  /** Path of the program `pg_ctl`. */
  readonly pgCtl: string;
}

/**
 * A PostgreSQL server on this machine. It belongs to a data directory, not to a process. Any number of
 * processes may open the same directory at once. The last process that closes it stops the server. A server
 * whose processes have all ended is found and used again. A server that ends while it is open is started
 * again, at the same address.
 */
export class EmbeddedPostgres {
  /**
   * Address of the database for pg: `postgres://fairlead:<password>@<host>:<port>/fairlead`. The host is the
   * percent-encoded directory of a Unix socket; on Windows, 127.0.0.1. Clients must accept no authentication
   * but SCRAM-SHA-256.
   */
  readonly url: string;
  /** True if this call created the cluster. */
  readonly fresh: boolean;
  /**
   * Name for the sessions of this process (`application_name`). Other processes leave the server running
   * while there are any.
   */
  readonly sessionName: string;
  private closing: Promise<void> | undefined;

  private constructor(private readonly opened: Opened) {
    this.url = opened.url;
    this.fresh = opened.fresh;
    this.sessionName = opened.context.sessionName;
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
    maxConnections = 100,
    sharedDirs,
  }: EmbeddedOptions): Promise<EmbeddedPostgres> {
    const layout = await prepareDataDirectory(dataDir);
    const preparation = await prepareStart(layout, { sharedDirs });
    const place = { layout, log, sessionName: newSessionName() };
    const { attachment, password, fresh } = await openServer(place, preparation, maxConnections);
    const context = { ...place, password };
    const { address, cluster } = attachment;
    const keeper = new ServerKeeper(attachment, {
      reattach: (signal) =>
        reattachServer({ ...context, signal }, { cluster, address, maxConnections, sharedDirs }),
      log,
      onLost,
    });
    const url = databaseUrl(address, SERVICE_ROLE, password);
    const { pgCtl } = preparation.binaries;
    return new EmbeddedPostgres({ url, fresh, context, cluster, keeper, pgCtl });
  }

  /**
   * Releases the lock of this process. The last process that releases it stops the server (fast shutdown:
   * open sessions are closed) and waits until it has ended. Idempotent. Does nothing when the server has
   * ended already.
   *
   * @throws {EmbeddedPostgresError} when the server has not stopped after 30 seconds
   */
  async close(): Promise<void> {
    this.closing ??= this.release();
    return this.closing;
  }

  private async release(): Promise<void> {
    const { keeper, context, cluster, pgCtl } = this.opened;
    let hold: ServerHold | undefined = await keeper.stop();
    try {
      let isLast = await hold.release();
      if (isLast === undefined) {
        // The hold was lost. No other process may be there to stop the server.
        void hold.disconnect();
        hold = await this.holdOnce();
        isLast = await hold?.release();
      }
      if (isLast !== true) return;
      await stopServer(context.layout, cluster, pgCtl);
      context.log('The embedded PostgreSQL has stopped.');
    } finally {
      await hold?.disconnect();
    }
  }

  /** Takes a new hold on the server if it runs and answers at once. */
  private async holdOnce(): Promise<ServerHold | undefined> {
    const { context, cluster } = this.opened;
    try {
      await requireUnchanged(context.layout, cluster);
      return (await adoptServer(context))?.hold;
    } catch {
      return undefined;
    }
  }
}
