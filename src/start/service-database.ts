import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createDataSource } from '../database/connection/data-source.js';
import { openDatabase, type DatabaseSettings, type OpenDatabase } from '../database/open-database.js';
import type { FairleadExtension } from '../extensions/index.js';
import type { Settings } from '../settings/settings.js';
import { entitiesWith, migrationsWith } from './entities.js';
import { ownCommand } from '../settings/package.js';

/** How the database is used, where the settings of the process do not say it. */
export interface ServiceDatabaseOptions extends Partial<
  Pick<
    DatabaseSettings,
    'log' | 'migrate' | 'onLost' | 'onWait' | 'poolSize' | 'shards' | 'signal' | 'startWait'
  >
> {
  /** Those whose tables the database holds. */
  readonly extensions: readonly FairleadExtension[];
}

/**
 * Opens the database that the settings name, with the tables of the service and of its extensions.
 * @throws Error with advice when the database cannot be reached or its schema is outdated
 */
export function openServiceDatabase(
  settings: Settings,
  { extensions, ...options }: ServiceDatabaseOptions,
): Promise<OpenDatabase> {
  return openDatabase({
    url: settings.DATABASE_URL,
    dataDir: settings.DATA_DIR,
    poolSize: settings.DATABASE_POOL_SIZE,
    limits: {
      statement: settings.DATABASE_STATEMENT_TIMEOUT_MS,
      lock: settings.DATABASE_LOCK_TIMEOUT_MS,
      idleInTransaction: settings.DATABASE_IDLE_IN_TRANSACTION_TIMEOUT_MS,
      poolWait: settings.DATABASE_POOL_WAIT_MS,
      answer: settings.DATABASE_ANSWER_TIMEOUT_MS,
    },
    migrate: settings.MIGRATE_ON_START,
    entities: entitiesWith(extensions),
    migrations: migrationsWith(extensions),
    commandLine: ownCommand(),
    ...options,
  });
}

/** File in `DATA_DIR`: a command has made the embedded database, and no server has used it yet. */
const UNSERVED_FILE = 'unserved';

/** Notes that a command has made the embedded database of a data directory. */
export async function noteUnserved(dataDir: string): Promise<void> {
  await writeFile(join(dataDir, UNSERVED_FILE), '', { mode: 0o600 });
}

/** Returns whether no server has used the embedded database that a command has made. One learns it, once. */
export async function isFirstServe(dataDir: string): Promise<boolean> {
  return rm(join(dataDir, UNSERVED_FILE)).then(
    () => true,
    () => false,
  );
}

/** The database of a host, and the extensions whose tables it holds. */
export interface HostDataSourceOptions {
  /** A postgres:// address. */
  readonly url: string;
  /** Most connections. */
  readonly poolSize?: number;
  readonly extensions?: readonly FairleadExtension[];
}

/**
 * Creates the data source for `FairleadModule.forRoot({ dataSource })`. It is not connected: the host
 * calls `initialize`, brings the schema up to date with `migrate`, and closes it after the application.
 */
export function createHostDataSource({
  url,
  poolSize = 20,
  extensions = [],
}: HostDataSourceOptions): ReturnType<typeof createDataSource> {
  const entities = entitiesWith(extensions);
  return createDataSource({ url, poolSize, entities, migrations: migrationsWith(extensions) });
}
