import type { OpenDatabase } from '../database/open-database.js';
import { noteUnserved, openServiceDatabase, type ServiceDatabaseOptions } from '../start/service-database.js';
import type { Settings } from '../settings/settings.js';

/** Connections that a command needs: one for its statements and one for a lock at the same time. */
const POOL_SIZE = 2;

/**
 * Opens the database for a command. An embedded one that is made for it stays fresh for the first server.
 * @param open how the database of a service is opened
 * @throws Error with advice when the database cannot be reached or its schema is outdated, and where DATA_DIR
 *   cannot be written
 */
export async function openCommandDatabase(
  settings: Settings,
  options: ServiceDatabaseOptions,
  open = openServiceDatabase,
): Promise<OpenDatabase> {
  const database = await open(settings, { poolSize: POOL_SIZE, ...options });
  try {
    if (database.fresh) await noteUnserved(settings.DATA_DIR);
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}
