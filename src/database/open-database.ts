import { setTimeout as delay } from 'node:timers/promises';
import type { DataSource } from 'typeorm';
import { cannotConnect, errorCode, NoHostError } from './errors.js';
import { createDataSource, type DataSourceSettings } from './connection/data-source.js';
import { isPartlyDistributed } from './distribute.js';
import { EmbeddedPostgres, type EmbeddedOptions } from './embedded/embedded-postgres.js';
import { isOutdated, migrate, type Sharding, type Migrated, type MigrationWait } from './migrations.js';

/** Location of the database and how it is used. */
export interface DatabaseSettings extends Sharding {
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
export interface OpenDatabase extends Migrated {
  readonly dataSource: DataSource;
  /** True when this call created the embedded database. */
  readonly fresh: boolean;
  /** Disconnects, and stops the embedded server unless another process uses it. */
  close(): Promise<void>;
}

/**
 * Connects to the external database, or starts the embedded one.
 * @throws Error with advice when the database cannot be reached or its schema is outdated
 */
export async function openDatabase(settings: DatabaseSettings): Promise<OpenDatabase> {
  const { url, dataDir, poolSize, limits, entities, migrations = [], startWait = 0, signal } = settings;
  const { log, onLost, onWait = log, commandLine = 'fairlead', shards } = settings;
  const embedded =
    url === undefined
      ? await EmbeddedPostgres.open({ dataDir, ...(log && { log }), ...(onLost && { onLost }) })
      : undefined;
  const at = {
    url: url ?? embedded?.url ?? '',
    entities,
    migrations,
    scramOnly: embedded !== undefined,
  };
  const dataSource = createDataSource({ ...at, poolSize, ...(limits && { limits }) });
  const close = async (): Promise<void> => {
    if (dataSource.isInitialized) await dataSource.destroy();
    await embedded?.close();
  };
  try {
    await connect(dataSource, at, { limit: embedded ? 0 : startWait, signal, ...(log && { log }) });
    await requireUtf8(dataSource);
    const outdated = await isOutdated(dataSource);
    if (outdated && embedded === undefined && !settings.migrate) {
      throw new Error(
        `The schema of the database at DATABASE_URL is outdated: run \`${commandLine} migrate\`, ` +
          'or set MIGRATE_ON_START=true',
      );
    }
    // A run before may have applied the migrations of tables that it could not distribute.
    const isPartly = settings.migrate && (await isPartlyDistributed(dataSource));
    const isDue = outdated || isPartly || shards !== undefined;
    const none: Migrated = { applied: [], distributed: [] };
    const changed = isDue ? await migrateAt(at, { log: onWait, signal, shards }) : none;
    return { dataSource, fresh: embedded?.fresh ?? false, ...changed, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/**
 * Migrates over separate connections, which have no time limits for statements.
 * @param wait as of `migrate`
 * @returns as `migrate`
 */
export async function migrateAt(
  at: Omit<DataSourceSettings, 'poolSize'>,
  wait: MigrationWait & Sharding = {},
): Promise<Migrated> {
  const migrator = createDataSource({ ...at, poolSize: 2, unlimited: true });
  await connect(migrator, at);
  try {
    return await migrate(migrator, wait);
  } finally {
    await migrator.destroy();
  }
}

async function requireUtf8(dataSource: DataSource): Promise<void> {
  const [row] = await dataSource.query<{ server_encoding: string }[]>('SHOW server_encoding');
  if (row?.server_encoding === 'UTF8') return;
  throw new Error(
    `The database at DATABASE_URL must have the encoding UTF8, not ${row?.server_encoding ?? 'unknown'}`,
  );
}

/** @throws Error that names the variable which says where the database is */
async function connect(
  dataSource: DataSource,
  { scramOnly = false }: Pick<DataSourceSettings, 'scramOnly'>,
  wait: StartWait = { limit: 0 },
): Promise<void> {
  try {
    await awaitStart(() => dataSource.initialize(), wait);
  } catch (error) {
    if (wait.signal?.aborted === true) throw error;
    throw cannotConnect(scramOnly ? 'DATA_DIR' : 'DATABASE_URL', error);
  }
}

/** How to wait for a database that does not accept connections yet. */
export interface StartWait {
  /** Milliseconds in which it must do so; 0 does not wait. */
  readonly limit: number;
  /** Receives a message when the wait begins. */
  readonly log?: (message: string) => void;
  /** Ends the wait. */
  readonly signal?: AbortSignal | undefined;
}

/** Codes of what passes while a database, or the machine or container that it is in, starts. */
const STARTING = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EAI_AGAIN', // the name server has no answer yet
  'ENOENT', // there is no socket yet
  '57P03', // the database system is starting up
]);

/** What pg says of a connection that a proxy closes because its database is not there. */
const CLOSED = 'Connection terminated unexpectedly';

/** Milliseconds between two attempts. */
const PAUSE_MS = 500;

/**
 * Runs an attempt to connect again and again, as long as it fails because the database is starting.
 * @throws what the last attempt threw: at once where it is another failure, such as a wrong password; or the
 *   reason of `signal`
 */
export async function awaitStart(
  attempt: () => Promise<unknown>,
  { limit, log, signal }: StartWait,
): Promise<void> {
  const end = performance.now() + limit;
  for (let isFirst = true; ; isFirst = false) {
    try {
      await attempt();
      return;
    } catch (error) {
      signal?.throwIfAborted();
      if (!isStarting(error) || performance.now() + PAUSE_MS > end) throw error;
      if (isFirst)
        log?.(`Waiting up to ${Math.round(limit / 1000)} s for the database at DATABASE_URL to start.`);
    }
    await delay(PAUSE_MS, undefined, signal === undefined ? {} : { signal }).catch(() =>
      signal?.throwIfAborted(),
    );
  }
}

/** A host with several addresses fails with an error for each. Of several hosts, one may be gone for good. */
function isStarting(error: unknown): boolean {
  if (error instanceof NoHostError) return error.errors.some(({ cause }: Error) => isStarting(cause));
  if (error instanceof AggregateError) return error.errors.length > 0 && error.errors.every(isStarting);
  return STARTING.has(errorCode(error) ?? '') || (error instanceof Error && error.message === CLOSED);
}
