import { createDataSource } from './database/data-source.js';
import { entitiesWith, migrationsWith } from './entities.js';
import type { FairleadExtension } from './extensions/index.js';

/** The database of a host, and the extensions whose tables it holds. */
export interface HostDataSourceOptions {
  /** A postgres:// address. */
  readonly url: string;
  /** Most connections. */
  readonly poolSize?: number;
  readonly extensions?: readonly FairleadExtension[];
}

/**
 * Creates the data source for `FairleadModule.forRoot({ dataSource })`. It is not connected: the host calls `initialize`,
 * brings the schema up to date with `migrate`, and closes it after the application.
 */
export function createHostDataSource({
  url,
  poolSize = 20,
  extensions = [],
}: HostDataSourceOptions): ReturnType<typeof createDataSource> {
  const entities = entitiesWith(extensions);
  return createDataSource({ url, poolSize, entities, migrations: migrationsWith(extensions) });
}
