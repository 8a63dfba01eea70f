import type { DatabaseLimits } from './database/index.js';
import { openDatabase, type OpenDatabase } from './database/open-database.js';
import { entitiesWith, migrationsWith } from './entities.js';
import type { FairleadExtension } from './extensions/index.js';
import { ownCommand } from './own-command.js';
import type { Settings } from './settings/settings.js';

/** How the database is used, where the settings of the process do not say it. */
export interface ServiceDatabaseOptions {
  /** Those whose tables the database holds. */
  readonly extensions: readonly FairleadExtension[];
  /** Most connections. Default: `DATABASE_POOL_SIZE`. */
  readonly poolSize?: number;
  /** Applies pending migrations. Default: `MIGRATE_ON_START`. */
  readonly migrate?: boolean;
  /** Receives messages for the person who starts the service. */
  readonly log?: (message: string) => void;
  /** Called at most once, when the embedded database was lost for good. Default: `log` gets the message. */
  readonly onLost?: (error: Error) => void;
  /** Receives what a migration waits for. Default: `log` does. */
  readonly onWait?: (message: string) => void;
  /** Milliseconds in which an external database that starts must accept connections. Default: none. */
  readonly startWait?: number;
  /** Ends the wait for a database that starts, and for another process that migrates. */
  readonly signal?: AbortSignal;
}

/**
 * Opens the database that the settings name, with the tables of the service and of its extensions.
 * @throws Error with advice when the database cannot be reached or its schema is outdated
 */
export function openServiceDatabase(
  settings: Settings,
  { extensions, poolSize, migrate, log, onLost, onWait, startWait, signal }: ServiceDatabaseOptions,
): Promise<OpenDatabase> {
  return openDatabase({
    url: settings.DATABASE_URL,
    dataDir: settings.DATA_DIR,
    poolSize: poolSize ?? settings.DATABASE_POOL_SIZE,
    limits: limitsOf(settings),
    migrate: migrate ?? settings.MIGRATE_ON_START,
    entities: entitiesWith(extensions),
    migrations: migrationsWith(extensions),
    commandLine: ownCommand(),
    ...(log === undefined ? {} : { log }),
    ...(onLost === undefined ? {} : { onLost }),
    ...(onWait === undefined ? {} : { onWait }),
    ...(startWait === undefined ? {} : { startWait }),
    ...(signal === undefined ? {} : { signal }),
  });
}

/** The limits of time that the settings name. */
function limitsOf(settings: Settings): DatabaseLimits {
  return {
    statement: settings.DATABASE_STATEMENT_TIMEOUT_MS,
    lock: settings.DATABASE_LOCK_TIMEOUT_MS,
    idleInTransaction: settings.DATABASE_IDLE_IN_TRANSACTION_TIMEOUT_MS,
    poolWait: settings.DATABASE_POOL_WAIT_MS,
    answer: settings.DATABASE_ANSWER_TIMEOUT_MS,
  };
}
