import type { ConnectionIdentity } from './connection-identity.js';
import { DatabaseUnavailableError } from './database-unavailable.error.js';
import type { Deadline } from './deadline.js';
import { OutcomeUnknownError } from './outcome-unknown.error.js';
import type { Outcomes } from './outcomes.js';
import { isRead, type FindWritten, type Statement } from './queryable.js';

/** A statement that is a transaction of its own, or shares one with other writes. */
export interface SingleWrite<Row = unknown> {
  readonly statement: Statement;
  readonly values: readonly unknown[];
  readonly deadline: Deadline;
  readonly find: FindWritten<Row> | undefined;
}

/** A connection that was lost before the answer came. */
export interface LostConnection {
  readonly identity: ConnectionIdentity;
  /** When the statement was sent, by the clock of `performance`. */
  readonly sentAt: number;
  readonly error: unknown;
}

/** A transaction of several writes, of which it is not known whether it is committed. */
export interface LostCommit extends LostConnection {
  readonly xid: string;
  /** That of the write which ends first. */
  readonly deadline: Deadline;
}

/** Finds out what became of statements whose answers were lost (ADR 14). */
export class LostWrites {
  constructor(private readonly outcomes: Outcomes) {}

  /**
   * Of a statement that may be its own transaction.
   * @returns its rows, where it is committed
   * @throws DatabaseUnavailableError where nothing was written; OutcomeUnknownError
   */
  async ofStatement<Row>(
    { statement, deadline, find }: SingleWrite<Row>,
    { error, ...lost }: LostConnection,
  ): Promise<Row[]> {
    if (isRead(statement)) throw new DatabaseUnavailableError(error, true);
    if (find === undefined) throw new OutcomeUnknownError(error);
    const rows = await this.outcomes.ofStatement({ ...lost, deadline }, statement, find);
    if (rows === undefined) throw new DatabaseUnavailableError(error, true);
    return [...rows];
  }

  /**
   * Of writes that share a transaction, which all happened or did not.
   * @param answers the rows of each write; undefined where its answer was lost too
   * @returns the rows of each, as `ofStatement`
   */
  ofTransaction(
    writes: readonly SingleWrite[],
    { xid, error, ...lost }: LostCommit,
    answers: readonly (readonly unknown[] | undefined)[],
  ): readonly Promise<unknown[]>[] {
    const known = async (rows: Promise<readonly unknown[] | undefined>): Promise<readonly unknown[]> => {
      const found = await rows;
      if (found === undefined) throw new DatabaseUnavailableError(error, true);
      return found;
    };
    let committed: Promise<unknown> | undefined;
    const readAgain = (deadline: Deadline, find: FindWritten<unknown>): Promise<readonly unknown[]> =>
      known(this.outcomes.ofTransaction({ ...lost, deadline }, xid, find));
    return writes.map(async ({ deadline, find }, index) => {
      const answer = answers[index];
      if (answer === undefined) return [...(await readAgain(deadline, find ?? notFound))];
      try {
        // One question for all whose rows are here already.
        await (committed ??= known(this.outcomes.ofTransaction(lost, xid)));
        return [...answer];
      } catch (error) {
        // After a crash, the id of the transaction says nothing without what it has written.
        if (find === undefined || !(error instanceof OutcomeUnknownError)) throw error;
        return [...(await readAgain(deadline, find))];
      }
    });
  }
}

/** Where nobody can read the rows of a write again, it is not known what became of it. */
const notFound = (): Promise<undefined> => Promise.resolve(undefined);
