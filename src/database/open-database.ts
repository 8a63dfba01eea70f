import type { DataSource } from 'typeorm';
import { awaitStart, type StartWait } from './await-start.js';
import { cannotConnect } from './errors.js';
import { createDataSource, type DataSourceSettings } from './data-source.js';
import { EmbeddedPostgres, type EmbeddedOptions } from './embedded/embedded-postgres.js';
import { isOutdated, migrate, type MigrationWait } from './migrations.js';

/** Location of the database and how it is used. */
export interface DatabaseSettings {
  /** A postgres:// address; undefined for the embedded database. */
  readonly url: string | undefined;
  /** Directory of the embedded database. */
  readonly dataDir: string;
  readonly poolSize: number;
  /** Applies pending migrations on an external database too. The embedded database always gets them. */
  readonly migrate: boolean;
  readonly limits?: DataSourceSettings['limits'];
  readonly entities: DataSourceSettings['entities'];
  /** Migrations of extensions, in addition to those of the service. */
  readonly migrations?: DataSourceSettings['migrations'];
  /** Receives messages for the person who starts the service. */
  readonly log?: (message: string) => void;
  /** Called at most once, when the embedded database was lost for good. Default: `log` gets the message. */
  readonly onLost?: EmbeddedOptions['onLost'];
  /** Receives what a migration waits for. Default: `log` does. */
  readonly onWait?: (message: string) => void;
  /**
   * Milliseconds in which an external database must accept connections that does not yet, because it starts.
   * Default: none.
   */
  readonly startWait?: number;
  /** How the command line is called, for advice. Default: `fairlead`. */
  readonly commandLine?: string;
  /** Ends the wait for a database that starts, and for another process that migrates. */
  readonly signal?: AbortSignal;
}

/** A connected database whose schema is current. */
export interface OpenDatabase {
  readonly dataSource: DataSource;
  /** True when this call created the embedded database. */
  readonly fresh: boolean;
  /** Names of the migrations that this call applied. */
  readonly applied: readonly string[];
  /** Disconnects, and stops the embedded server unless another process uses it. */
  close(): Promise<void>;
}

/**
 * Connects to the external database, or starts the embedded one.
 * @throws Error with advice when the database cannot be reached or its schema is outdated
 */
export async function openDatabase(settings: DatabaseSettings): Promise<OpenDatabase> {
  const {
    url,
    dataDir,
    poolSize,
    limits,
    entities,
    migrations = [],
    log,
    onLost,
    onWait = log,
    commandLine = 'fairlead',
    signal,
  } = settings;
  const embedded =
    url === undefined
      ? await EmbeddedPostgres.open({ dataDir, ...(log && { log }), ...(onLost && { onLost }) })
      : undefined;
  const address = url ?? embedded?.url ?? '';
  const at = {
    url: address,
    entities,
    migrations,
    scramOnly: embedded !== undefined,
    ...(embedded && { sessionName: embedded.sessionName }),
  };
  const dataSource = createDataSource({ ...at, poolSize, ...(limits && { limits }) });
  const close = async (): Promise<void> => {
    if (dataSource.isInitialized) await dataSource.destroy();
    await embedded?.close();
  };
  try {
    const variable = embedded === undefined ? 'DATABASE_URL' : 'DATA_DIR';
    const limit = embedded === undefined ? (settings.startWait ?? 0) : 0;
    await connect(dataSource, variable, { limit, signal, ...(log && { log }) });
    await requireUtf8(dataSource);
    const outdated = await isOutdated(dataSource);
    const migrates = embedded !== undefined || settings.migrate;
    if (outdated && !migrates) {
      throw new Error(
        `The schema of the database at DATABASE_URL is outdated: run \`${commandLine} migrate\`, ` +
          'or set MIGRATE_ON_START=true',
      );
    }
    const applied = outdated ? await migrateAt(at, { log: onWait, signal }) : [];
    return { dataSource, fresh: embedded?.fresh ?? false, applied, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function requireUtf8(dataSource: DataSource): Promise<void> {
  const [row] = await dataSource.query<{ server_encoding: string }[]>('SHOW server_encoding');
  if (row?.server_encoding === 'UTF8') return;
  throw new Error(
    `The database at DATABASE_URL must have the encoding UTF8, not ${row?.server_encoding ?? 'unknown'}`,
  );
}

/**
 * Migrates over separate connections, which have no time limits for statements.
 * @param wait as of `migrate`
 * @returns the names of the migrations that were applied
 */
export async function migrateAt(
  at: Omit<DataSourceSettings, 'poolSize'>,
  wait: MigrationWait = {},
): Promise<string[]> {
  const migrator = createDataSource({ ...at, poolSize: 2, unlimited: true });
  await connect(migrator, at.scramOnly === true ? 'DATA_DIR' : 'DATABASE_URL');
  try {
    return await migrate(migrator, wait);
  } finally {
    await migrator.destroy();
  }
}

/** @param variable the one that says where the database is */
async function connect(
  dataSource: DataSource,
  variable: 'DATA_DIR' | 'DATABASE_URL',
  wait: StartWait = { limit: 0 },
): Promise<void> {
  try {
    await awaitStart(() => dataSource.initialize(), wait);
  } catch (error) {
    if (wait.signal?.aborted === true) throw error;
    throw cannotConnect(variable, error);
  }
}
