import { stat } from 'node:fs/promises';
import { EmbeddedPostgresError } from './embedded-postgres.error.js';
import { errorCode } from '../error-code.js';
import type { ServerAddress } from './server-address.js';
import { ServerHold } from './server-hold.js';
import type { AttachContext } from './server-sighting.js';
import { stopServer } from './server-stopper.js';

/**
 * Codes of refusals that every process meets: there is no database, because the process that started the
 * server was killed before it had made it; or the cluster has been upgraded, and lets nobody in at a port.
 */
const REFUSES_ALL = new Set(['3D000', '28000']);

/** A server that an earlier version of this service started, and the program that stops it. */
interface EarlierServer {
  readonly address: ServerAddress;
  readonly pgCtl: string;
}

/** Returns the hold when no other process uses the server, and undefined when there is nothing to hold. */
async function takeAlone(
  { layout: { cluster }, password, sessionName }: AttachContext,
  address: ServerAddress,
): Promise<ServerHold | undefined> {
  let hold: ServerHold;
  try {
    hold = await ServerHold.take({ address, password, cluster }, sessionName);
  } catch (error) {
    const { cause = error } = error as Error;
    if (REFUSES_ALL.has(errorCode(cause) ?? '')) return undefined;
    throw error;
  }
  if (await hold.release()) return hold;
  await hold.disconnect();
  throw new EmbeddedPostgresError(
    `An earlier version of Fairlead is using the database in ${cluster} (DATA_DIR). ` +
      'Stop it, and start this version again: it upgrades the database first.',
  );
}

/**
 * Stops a server that processes of an earlier version left behind, so that its cluster can be upgraded.
 *
 * @throws {EmbeddedPostgresError} when a process of that version uses it
 * @throws another error when it does not answer
 */
export async function stopEarlierServer(
  context: AttachContext,
  { address, pgCtl }: EarlierServer,
): Promise<void> {
  const directory = await stat(context.layout.cluster);
  const hold = await takeAlone(context, address);
  try {
    context.log('Stopping the embedded PostgreSQL of an earlier version.');
    await stopServer(context.layout, directory, pgCtl);
  } finally {
    await hold?.disconnect();
  }
}
