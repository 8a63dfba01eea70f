import { DataSource, type MigrationInterface } from 'typeorm';
import { MIGRATIONS } from '../../migrations/index.js';

/** A class with TypeORM's `@Entity()`. */
// eslint-disable-next-line @typescript-eslint/no-unsafe-function-type -- TypeORM's own type for classes
export type EntityClass = Function;

/** A TypeORM migration. */
export type MigrationClass = new () => MigrationInterface;

/** Where a database is and what it holds. */
export interface DataSourceSettings {
  readonly url: string;
  readonly poolSize: number;
  readonly entities: readonly EntityClass[];
  /** Migrations of extensions, beside the service's own. */
  readonly migrations?: readonly MigrationClass[];
  /** Migrations may take as long as they take. */
  readonly unlimited?: boolean;
}

/** Milliseconds a statement may run, and a transaction may sit idle, before PostgreSQL ends it. */
const STATEMENT_TIMEOUT = 30_000;
const CONNECT_TIMEOUT = 5_000;

/** Milliseconds after which a query counts as lost on the way: longer than PostgreSQL itself lets one run. */
const ANSWER_TIMEOUT = 35_000;

/** A TypeORM data source for one database; not yet connected. */
export function createDataSource({
  url,
  poolSize,
  entities,
  migrations = [],
  unlimited = false,
}: DataSourceSettings): DataSource {
  return new DataSource({
    type: 'postgres',
    url,
    poolSize,
    entities: [...entities],
    migrations: [...MIGRATIONS, ...migrations],
    migrationsTableName: 'migrations',
    migrationsTransactionMode: 'each',
    synchronize: false,
    installExtensions: false,
    uuidExtension: 'pgcrypto',
    applicationName: 'fairlead',
    logging: false,
    extra: {
      connectionTimeoutMillis: CONNECT_TIMEOUT,
      // Statements that do not wait for each other travel together.
      pipeline: true,
      ...(unlimited
        ? {}
        : {
            query_timeout: ANSWER_TIMEOUT,
            statement_timeout: STATEMENT_TIMEOUT,
            idle_in_transaction_session_timeout: STATEMENT_TIMEOUT,
          }),
    },
  });
}
