import { realpath } from 'node:fs/promises';
import { inspectCluster } from './cluster.js';
import { type DataLayout, dataLayout } from './data-layout.js';
import { EmbeddedPostgresError } from './embedded-postgres.error.js';

/**
 * Finds the database of a data directory, for commands that must not create one.
 * @throws {EmbeddedPostgresError} naming DATA_DIR when there is none
 */
export async function requireCluster(dataDir: string): Promise<DataLayout & { readonly major: string }> {
  const root = await realpath(dataDir).catch(() => undefined);
  const layout = root === undefined ? undefined : dataLayout(root);
  const found = layout && (await inspectCluster(layout));
  if (layout && found) return { ...layout, major: found.major };
  throw new EmbeddedPostgresError(`There is no database in the data directory ${dataDir} (DATA_DIR)`);
}
