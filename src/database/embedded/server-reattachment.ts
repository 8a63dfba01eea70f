import { type ClusterIdentity, requireUnchanged } from './cluster-identity.js';
import { withDirectoryLock } from './directory-lock.js';
import type { EmbeddedOptions } from './embedded-options.js';
import { EmbeddedPostgresError } from './embedded-postgres.error.js';
import { prepareStart } from './prepare-start.js';
import type { ServerAddress } from './server-address.js';
import { adoptServer, attachServer } from './server-attachment.js';
import type { AttachContext, Attachment } from './server-sighting.js';

/** The server that was lost, and how a new one is started. */
interface LostServer extends Pick<EmbeddedOptions, 'sharedDirs'> {
  readonly cluster: ClusterIdentity;
  readonly address: ServerAddress;
  readonly maxConnections: number;
}

/** Starts the server of the same cluster unless another process has done so. */
async function restart(context: AttachContext, lost: LostServer): Promise<Attachment> {
  const { layout } = context;
  return withDirectoryLock(layout, context, async () => {
    await requireUnchanged(layout, lost.cluster);
    // The programs are looked for again: a copy of them may have been removed from a temporary directory.
    const { account, binaries } = await prepareStart(layout, lost);
    const { address, maxConnections } = lost;
    return attachServer(context, { binaries, account, maxConnections, at: address });
  });
}

/**
 * Makes one attempt to use the server of a cluster again, at the same address. Starts it when it does not
 * run.
 *
 * @throws {EmbeddedPostgresError} a final one, when the cluster was removed or replaced, needs another major
 *   version of PostgreSQL or another password, or when its server listens somewhere else now
 * @throws another error, when a later attempt may succeed
 */
export async function reattachServer(context: AttachContext, lost: LostServer): Promise<Attachment> {
  const { layout } = context;
  await requireUnchanged(layout, lost.cluster);
  const attachment = (await adoptServer(context)) ?? (await restart(context, lost));
  const { hold, address } = attachment;
  if (address.host === lost.address.host && address.port === lost.address.port) return attachment;
  await hold.disconnect();
  throw new EmbeddedPostgresError(
    `The database in ${layout.cluster} has moved to ${address.host}:${address.port}, because its former address ` +
      'could not be used any more. Start Fairlead again.',
    { final: true },
  );
}
