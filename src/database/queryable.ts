import type { EntityTarget, ObjectLiteral, Repository } from 'typeorm';

/** A named SQL statement. PostgreSQL parses and plans it once per connection, under its name. */
export interface Statement {
  readonly name: string;
  readonly text: string;
  /**
   * Writes one row, so that it may be committed with other writes of its account: see SharedCommits. Such a
   * statement reads the clock by statement_timestamp().
   */
  readonly sharesCommit?: boolean;
  /** Reads one row by its key, so that it may travel with other reads of its account: see SharedReads. */
  readonly isBrief?: boolean;
  /** How a cluster gets it, where that is more than another text. */
  readonly cluster?: ClusterSending;
}

/**
 * How a cluster gets a statement. It keeps plans of statements of one table alone, and so gets what is
 * frequent as several (ADR 38). Each gets the parameters that its text has.
 */
export interface ClusterSending {
  /**
   * What it gets in place of the statement, one after the other in one transaction. The rows are those of the
   * last.
   */
  readonly steps?: readonly Statement[];
  /** Whether nothing is written, and there is no row, where a step fails by a division by zero. */
  readonly isRefusable?: boolean;
  /**
   * Reads of one row that it gets behind the statement, not for what shares commits or comes last. Their
   * columns are added to each row.
   */
  readonly beside?: readonly Statement[];
  /** Whether there is a row of what stands beside it where it has none itself. */
  readonly isOuter?: boolean;
  /** A column of which it returns the lines one by one. All become one row, null without a line. */
  readonly lines?: string;
  /**
   * Numbers of parameters, arrays of one length. It gets the statement for each place of these, with the
   * elements: so rows are found by their keys whatever its statistics say.
   */
  readonly each?: readonly number[];
}

/**
 * Returns whether a statement only reads, as its text tells: SELECT or WITH, without a word that writes or
 * locks. What a function that it calls does is not known.
 */
export function isRead({ text }: Statement): boolean {
  return /^\s*(SELECT|WITH)\b/i.test(text) && !/\b(INSERT|UPDATE|DELETE|MERGE)\b/i.test(text);
}

/**
 * Runs statements: the database itself (each statement in its own transaction, or in one with others whose
 * commit it shares), or one transaction.
 */
export interface Queryable {
  /**
   * Runs one statement and returns its rows. Column types are those of the driver: timestamptz as Date,
   * bigint as string.
   * @throws outside of a transaction: DatabaseUnavailableError when nothing has happened; OutcomeUnknownError
   *   when the answer of a write was lost
   */
  query<Row>(statement: Statement, values: readonly unknown[]): Promise<Row[]>;

  /**
   * Runs `work` so that more statements can follow after it failed. Inside a transaction, what it wrote is
   * undone.
   */
  savepoint<T>(work: () => Promise<T>): Promise<T>;
}

/**
 * What also reads entities: a transaction, or what `Database.read` gives to its work. The database itself is
 * none, because a read of TypeORM outside of both is not rerun where its connection was lost.
 */
export interface EntityReader extends Queryable {
  /** Returns TypeORM's repository of an entity, bound to the transaction or, outside one, to the pool. */
  repository<Entity extends ObjectLiteral>(entity: EntityTarget<Entity>): Repository<Entity>;
}
