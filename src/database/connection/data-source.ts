import { DataSource, type MigrationInterface } from 'typeorm';
import { MIGRATIONS } from '../../../migrations/index.js';
import { reach } from '../driver/hosts-client.js';
import { ScramClient } from '../driver/driver.js';
import { DEFAULT_LIMITS, LIMIT_SETTINGS, type DatabaseLimits } from './deadline.js';

/** A class with TypeORM's `@Entity()`. */
// eslint-disable-next-line @typescript-eslint/no-unsafe-function-type -- TypeORM's own type for classes
export type EntityClass = Function;

/** A TypeORM migration. */
export type MigrationClass = new () => MigrationInterface;

/** Location of a database and its entities. */
export interface DataSourceSettings {
  /** A postgres:// address, of one or several hosts. */
  readonly url: string;
  readonly poolSize: number;
  readonly entities: readonly EntityClass[];
  /** Migrations of extensions, in addition to those of the service. */
  readonly migrations?: readonly MigrationClass[];
  /** Names of the only migrations that count. Default: all. */
  readonly only?: readonly string[];
  /** Default: DEFAULT_LIMITS. */
  readonly limits?: DatabaseLimits;
  /** No time limits for statements, for migrations. `options` in the address come instead. */
  readonly unlimited?: boolean;
  /** Gives the password to no server but by SCRAM, for the embedded database. */
  readonly scramOnly?: boolean;
  /** Name of the sessions (`application_name`). Default `fairlead`. */
  readonly sessionName?: string;
}

/** Seconds after which a connection is replaced, so that none stays with a server that was replaced. */
const LIFETIME = 300;

/** Milliseconds of silence after which the system asks whether the other end of a connection is there. */
const KEEPALIVE_DELAY = 5_000;

/** Returns the names of the migrations of the service and of extensions, as the database keeps them. */
export function migrationNames(migrations: readonly MigrationClass[]): string[] {
  return [...MIGRATIONS, ...migrations].map(nameOf);
}

function nameOf(migration: MigrationClass): string {
  return new migration().name ?? migration.name;
}

/**
 * Creates a TypeORM data source for one database. It is not connected yet.
 * @throws Error for an address whose hosts cannot be read
 */
export function createDataSource({
  url,
  poolSize,
  entities,
  migrations = [],
  only,
  limits = DEFAULT_LIMITS,
  unlimited = false,
  scramOnly = false,
  sessionName = 'fairlead',
}: DataSourceSettings): DataSource {
  // A migration, with what must not happen beside it, is one server's.
  const { connectionString, ...reaching } = reach(url, { spreads: !unlimited });
  return new DataSource({
    type: 'postgres',
    url: connectionString,
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
      connectionTimeoutMillis: limits.poolWait,
      maxLifetimeSeconds: LIFETIME,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEPALIVE_DELAY,
      // Statements that do not wait for each other travel together.
      pipeline: true,
      ...reaching,
      ...(scramOnly ? { Client: ScramClient } : {}),
      ...(unlimited
        ? { options: LIMIT_SETTINGS.map((name) => `-c ${name}=0`).join(' ') }
        : {
            query_timeout: limits.answer,
            statement_timeout: limits.statement,
            lock_timeout: limits.lock,
            idle_in_transaction_session_timeout: limits.idleInTransaction,
          }),
    },
  });
}
