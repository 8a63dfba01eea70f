import type { EntityTarget, ObjectLiteral, Repository } from 'typeorm';

/** A named SQL statement. PostgreSQL parses and plans it once per connection, under its name. */
export interface Statement {
  readonly name: string;
  readonly text: string;
}

/** Runs statements: the database itself (each statement in its own transaction), or one transaction. */
export interface Queryable {
  /** Returns TypeORM's repository of an entity, bound to this transaction or, outside one, to the pool. */
  repository<Entity extends ObjectLiteral>(entity: EntityTarget<Entity>): Repository<Entity>;

  /**
   * Runs one statement and returns its rows. Column types are those of the driver: timestamptz as Date,
   * bigint as string.
   */
  query<Row>(statement: Statement, values: readonly unknown[]): Promise<Row[]>;

  /**
   * Runs `work` so that more statements can follow after it failed. Inside a transaction, what it wrote is
   * undone.
   */
  guard<T>(work: () => Promise<T>): Promise<T>;
}
