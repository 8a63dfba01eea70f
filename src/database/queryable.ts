import type { EntityTarget, ObjectLiteral, Repository } from 'typeorm';

/** A named SQL statement: PostgreSQL parses and plans it once per connection under its name. */
export interface Statement {
  readonly name: string;
  readonly text: string;
}

/** Anything that runs statements: the database itself (each on its own) or one transaction. */
export interface Queryable {
  /** TypeORM's repository of an entity, bound to this transaction or, outside one, to the pool. */
  repository<Entity extends ObjectLiteral>(entity: EntityTarget<Entity>): Repository<Entity>;

  /** Runs one statement and returns its rows. Column types are the driver's: timestamptz as Date, bigint as string. */
  query<Row>(statement: Statement, values: readonly unknown[]): Promise<Row[]>;

  /** Runs `work` so that more can be queried after it failed; inside a transaction what it wrote is taken back. */
  guard<T>(work: () => Promise<T>): Promise<T>;
}
