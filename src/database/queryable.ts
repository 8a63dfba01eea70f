import type { EntityManager } from 'typeorm';

/** A named SQL statement: PostgreSQL parses and plans it once per connection under its name. */
export interface Statement {
  readonly name: string;
  readonly text: string;
}

/** Anything that runs statements: the database itself (each on its own) or one transaction. */
export interface Queryable {
  /** TypeORM's view of the same connection or pool, for entities. */
  readonly manager: EntityManager;

  /** Runs one statement and returns its rows. Column types are the driver's: timestamptz as Date, bigint as string. */
  query<Row>(statement: Statement, values: readonly unknown[]): Promise<Row[]>;

  /** Runs `work` so that more can be queried after it failed; inside a transaction what it wrote is taken back. */
  guard<T>(work: () => Promise<T>): Promise<T>;
}
