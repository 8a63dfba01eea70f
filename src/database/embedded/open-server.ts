import { inspectCluster } from './cluster.js';
import { giveTo, initialiseCluster, removeUnfinished } from './cluster-initialiser.js';
import { withDirectoryLock } from './directory-lock.js';
import { loadPassword } from './password-file.js';
import type { StartPreparation } from './prepare-start.js';
import { USES_SOCKET } from './server-address.js';
import { adoptServer, attachServer } from './server-attachment.js';
import type { AttachContext, Attachment } from './server-sighting.js';

/** A server in use, its password, and whether its cluster was made just now. */
interface OpenedServer {
  readonly attachment: Attachment;
  readonly password: string;
  readonly fresh: boolean;
}

function placeOf({ address: { host, port } }: Attachment): string {
  return USES_SOCKET ? `on a socket in ${host}` : `on port ${port}`;
}

/**
 * Uses the server of a data directory, and starts it when it is not running. Initialises the directory the
 * first time.
 *
 * @throws {EmbeddedPostgresError} as `attachServer` does; also when the cluster cannot be made, or its
 *   password is missing
 */
export async function openServer(
  context: Omit<AttachContext, 'password'>,
  { found, account, binaries }: StartPreparation,
  maxConnections: number,
): Promise<OpenedServer> {
  const { layout, log } = context;
  if (found) {
    const password = await loadPassword(layout, true);
    const attachment = await adoptServer({ ...context, password });
    if (attachment) {
      log(`Using the embedded PostgreSQL that is running ${placeOf(attachment)}.`);
      return { attachment, password, fresh: false };
    }
  }
  return withDirectoryLock(layout, context, async () => {
    await removeUnfinished(layout);
    const existing = await inspectCluster(layout);
    const password = await loadPassword(layout, existing !== undefined);
    let fresh = false;
    if (!existing) {
      log(`Creating the embedded database in ${layout.cluster}.`);
      fresh = await initialiseCluster(layout, { binaries, account, password });
    } else if (existing.uid === 0) {
      // The cluster may belong to root, for example after it was copied. Its server cannot run as root.
      await giveTo(account, layout.cluster);
    }
    const attachment = await attachServer({ ...context, password }, { binaries, account, maxConnections });
    log(`The embedded PostgreSQL is running ${placeOf(attachment)}.`);
    return { attachment, password, fresh };
  });
}
