import { DataSource, type MigrationInterface } from 'typeorm';
import { MIGRATIONS } from '../../migrations/index.js';
import { ScramClient } from './pg-internals.js';

/** A class with TypeORM's `@Entity()`. */
// eslint-disable-next-line @typescript-eslint/no-unsafe-function-type -- TypeORM's own type for classes
export type EntityClass = Function;

/** A TypeORM migration. */
export type MigrationClass = new () => MigrationInterface;

/** Location of a database and its entities. */
export interface DataSourceSettings {
  readonly url: string;
  readonly poolSize: number;
  readonly entities: readonly EntityClass[];
  /** Migrations of extensions, in addition to those of the service. */
  readonly migrations?: readonly MigrationClass[];
  /** Names of the only migrations that count. Default: all. */
  readonly only?: readonly string[];
  /** No time limits, for migrations. */
  readonly unlimited?: boolean;
  /** Gives the password to no server but by SCRAM, for the embedded database. */
  readonly scramOnly?: boolean;
  /** Name of the sessions (`application_name`). Default `fairlead`. */
  readonly sessionName?: string;
}

/** Milliseconds that a statement may run, or a transaction may be idle, before PostgreSQL ends it. */
const STATEMENT_TIMEOUT = 30_000;
const CONNECT_TIMEOUT = 5_000;

/**
 * Milliseconds that a statement waits for a lock. Work that waits longer gives its connection back and is
 * rerun (see `Database`), so that a lock that is held for long does not hold the pool too.
 */
const LOCK_TIMEOUT = 1_000;

/**
 * Milliseconds after which a query without an answer counts as lost. It is longer than PostgreSQL lets a
 * query run.
 */
const ANSWER_TIMEOUT = 35_000;

/** Returns the names of the migrations of the service and of extensions, as the database keeps them. */
export function migrationNames(migrations: readonly MigrationClass[]): string[] {
  return [...MIGRATIONS, ...migrations].map(nameOf);
}

function nameOf(migration: MigrationClass): string {
  return new migration().name ?? migration.name;
}

/** Creates a TypeORM data source for one database. It is not connected yet. */
export function createDataSource({
  url,
  poolSize,
  entities,
  migrations = [],
  only,
  unlimited = false,
  scramOnly = false,
  sessionName = 'fairlead',
}: DataSourceSettings): DataSource {
  return new DataSource({
    type: 'postgres',
    url,
    poolSize,
    entities: [...entities],
    migrations: [...MIGRATIONS, ...migrations].filter((each) => only?.includes(nameOf(each)) ?? true),
    migrationsTableName: 'migrations',
    migrationsTransactionMode: 'each',
    synchronize: false,
    installExtensions: false,
    uuidExtension: 'pgcrypto',
    applicationName: sessionName,
    logging: false,
    extra: {
      connectionTimeoutMillis: CONNECT_TIMEOUT,
      // Statements that do not wait for each other travel together.
      pipeline: true,
      ...(scramOnly ? { Client: ScramClient } : {}),
      ...(unlimited
        ? {}
        : {
            query_timeout: ANSWER_TIMEOUT,
            statement_timeout: STATEMENT_TIMEOUT,
            lock_timeout: LOCK_TIMEOUT,
            idle_in_transaction_session_timeout: STATEMENT_TIMEOUT,
          }),
    },
  });
}
