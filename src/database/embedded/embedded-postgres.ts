import { inspectCluster, requireMajor } from './cluster.js';
import { giveTo, initialiseCluster, removeUnfinished } from './cluster-initialiser.js';
import { SERVICE_ROLE } from './cluster-roles.js';
import { prepareDataDirectory } from './data-directory.js';
import type { DataLayout } from './data-layout.js';
import { withDirectoryLock } from './directory-lock.js';
import { type NativeBinaries, nativeBinaries } from './native-binaries.js';
import { loadPassword } from './password-file.js';
import type { PlatformPackage } from './platform-package.js';
import { finishReplacement } from './replace-cluster.js';
import { USES_SOCKET, databaseUrl } from './server-address.js';
import { adoptServer, attachServer } from './server-attachment.js';
import type { Attachment } from './server-sighting.js';
import { stopServer } from './server-stopper.js';
import { serviceAccount } from './service-account.js';

/** Location and settings of the embedded database. */
export interface EmbeddedOptions {
  /**
   * Directory for the database, its password and its log. It is created when missing. Relative to the working
   * directory.
   */
  readonly dataDir: string;
  /** Receives messages about progress, one sentence per call. */
  readonly log?: (message: string) => void;
  /** Sessions that a server started by this call allows at once. Default 100. */
  readonly maxConnections?: number;
  /**
   * Folders in which a copy of PostgreSQL's programs may be kept when they cannot be run where npm installed
   * them, best first. Default: a cache folder of this user, then the temporary directory.
   */
  readonly sharedDirs?: readonly string[];
  /** PostgreSQL's programs, for a cluster of another major version. Default: the installed package. */
  readonly programs?: PlatformPackage;
}

interface Opened extends Attachment {
  readonly url: string;
  readonly fresh: boolean;
  readonly layout: DataLayout;
  readonly binaries: NativeBinaries;
  readonly log: (message: string) => void;
}

function placeOf({ address: { host, port } }: Attachment): string {
  return USES_SOCKET ? `on a socket in ${host}` : `on port ${port}`;
}

/**
 * A PostgreSQL server on this machine. It belongs to a data directory, not to a process. Any number of
 * processes may open the same directory at once. The last process that closes it stops the server. A server
 * whose processes have all ended is found and used again.
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
  private closing: Promise<void> | undefined;

  private constructor(private readonly opened: Opened) {
    this.url = opened.url;
    this.fresh = opened.fresh;
  }

  /**
   * Starts the server of `dataDir`, or uses the one that runs. Initialises the directory the first time.
   *
   * @throws {EmbeddedPostgresError} with advice, when the machine has no build of PostgreSQL, the directory
   *   cannot be used, an earlier version of this service is using it, or the server does not start within 30
   *   seconds
   */
  static async open({
    dataDir,
    log,
    maxConnections,
    sharedDirs,
    programs,
  }: EmbeddedOptions): Promise<EmbeddedPostgres> {
    const tell = log ?? (() => undefined);
    const layout = await prepareDataDirectory(dataDir);
    const found = await inspectCluster(layout);
    const account = await serviceAccount(found);
    const binaries = await nativeBinaries(account, sharedDirs, programs);
    const finish = (attachment: Attachment, password: string, fresh: boolean): EmbeddedPostgres => {
      const url = databaseUrl(attachment.address, SERVICE_ROLE, password);
      return new EmbeddedPostgres({ ...attachment, url, fresh, layout, binaries, log: tell });
    };

    if (found) {
      requireMajor(layout.cluster, found.major, binaries.major);
      const password = await loadPassword(layout, true);
      const running = await adoptServer({ layout, password, log: tell });
      if (running) {
        tell(`Using the embedded PostgreSQL that is running ${placeOf(running)}.`);
        return finish(running, password, false);
      }
    }
    return withDirectoryLock(layout, tell, async () => {
      await removeUnfinished(layout);
      if (!(await inspectCluster(layout))) await finishReplacement(layout);
      const existing = await inspectCluster(layout);
      const password = await loadPassword(layout, existing !== undefined);
      let fresh = false;
      if (!existing) {
        tell(`Creating the embedded database in ${layout.cluster}.`);
        fresh = await initialiseCluster(layout, { binaries, account, password });
      } else if (existing.uid === 0) {
        // The cluster may belong to root, for example after a backup was restored. Its server cannot run as
        // root.
        await giveTo(account, layout.cluster);
      }
      const attachment = await attachServer(
        { layout, password, log: tell },
        { binaries, account, maxConnections: maxConnections ?? 100 },
      );
      tell(`The embedded PostgreSQL is running ${placeOf(attachment)}.`);
      return finish(attachment, password, fresh);
    });
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
    const { hold, directory, layout, binaries, log } = this.opened;
    try {
      if (!(await hold.release())) return;
      await stopServer(layout, directory, binaries.pgCtl);
      log('The embedded PostgreSQL has stopped.');
    } finally {
      await hold.disconnect();
    }
  }
}
