import type { EntityTarget, ObjectLiteral, Repository } from 'typeorm';

/** A named SQL statement. PostgreSQL parses and plans it once per connection, under its name. */
export interface Statement {
  readonly name: string;
  readonly text: string;
  /** Reads one row by its key, so that it may wait for others on one connection: see SharedConnections. */
  readonly brief?: boolean;
  /**
   * Writes one row, so that it may be committed with other writes of its account: see SharedCommits. Such a
   * statement reads the clock by statement_timestamp(), and is run with `find`.
   */
  readonly sharesCommit?: boolean;
}

/**
 * Returns whether a statement only reads, as its text tells: SELECT or WITH, without a word that writes or
 * locks. What a function that it calls does is not known.
 */
export function isRead({ text }: Statement): boolean {
  return /^\s*(SELECT|WITH)\b/i.test(text) && !/\b(INSERT|UPDATE|DELETE|MERGE)\b/i.test(text);
}

/** Runs statements. */
export interface Reader {
  query<Row>(statement: Statement, values: readonly unknown[]): Promise<Row[]>;
}

/** A write whose answer was lost. */
export interface LostWrite {
  /**
   * Milliseconds since 1970 by the database's clock, with their fraction. The statement began then or later,
   * but for steps of the clock.
   */
  readonly since: number;
  /** The transaction; undefined for a statement that is its own. */
  readonly xid?: string;
}

/**
 * Looks for what a lost write has written, after the write has come to its end.
 * @param db a new connection
 * @returns the rows that the statement would have returned, or undefined when it has written nothing
 * @throws OutcomeUnknownError when neither can be known
 */
export type FindWritten<Row> = (db: Reader, lost: LostWrite) => Promise<Row[] | undefined>;

/**
 * Runs statements: the database itself (each statement in its own transaction, or in one with others whose
 * commit it shares), or one transaction.
 */
export interface Queryable {
  /**
   * Runs one statement and returns its rows. Column types are those of the driver: timestamptz as Date,
   * bigint as string.
   * @param find for a statement that writes: finds out what became of it where its answer was lost. Outside
   *   of a transaction, a lost write without `find` throws OutcomeUnknownError. A transaction does not need
   * it.
   */
  query<Row>(statement: Statement, values: readonly unknown[], find?: FindWritten<Row>): Promise<Row[]>;

  /**
   * Runs `work` so that more statements can follow after it failed. Inside a transaction, what it wrote is
   * undone.
   */
  guard<T>(work: () => Promise<T>): Promise<T>;
}

/**
 * What also reads entities: a transaction, or what `Database.read` gives to its work. The database itself is
 * none, because a read of TypeORM outside of both is not rerun where its connection was lost.
 */
export interface EntityReader extends Queryable {
  /** Returns TypeORM's repository of an entity, bound to the transaction or, outside one, to the pool. */
  repository<Entity extends ObjectLiteral>(entity: EntityTarget<Entity>): Repository<Entity>;
}
