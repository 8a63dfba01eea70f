import { requireCluster } from '../embedded/cluster.js';
import { freeTarget } from '../files.js';
import { DatabaseServer, type DatabasePlace } from './database-server.js';
import type { TableRows } from './dump-records.js';
import { type DumpTarget, writeDump } from './write-dump.js';

/**
 * Writes a dump of a database.
 * @returns the number of rows of each table
 * @throws Error when the file exists, cannot be written, or would be inside of the data directory of the
 *   database; when the database cannot be used
 */
export async function dumpDatabase({
  path,
  fairlead,
  log,
  ...place
}: DatabasePlace & DumpTarget): Promise<TableRows[]> {
  const isEmbedded = place.url === undefined;
  const dataDir = isEmbedded ? await requireCluster(place.dataDir) : undefined;
  await freeTarget(path, { failure: `The dump ${path} cannot be written`, dataDir });
  const server = await DatabaseServer.open(place, { create: false });
  try {
    return await server.connected((client) => writeDump(client, { path, fairlead, log }));
  } finally {
    await server.close();
  }
}
