import { errorCode } from './error-code.js';
import { OutcomeUnknownError } from './outcome-unknown.error.js';
import { RUNNING, type Asked, type LostAnswer, type OutcomeQuestions } from './outcome-questions.js';
import * as statements from './outcomes.statements.js';
import type { FindWritten, Statement } from './queryable.js';

/**
 * Finds out what became of writes whose answers were lost. It asks over new connections, until the deadline
 * of the write. A session that still runs the write for more than a second, or waits for a client that is
 * gone, is ended.
 */
export class Outcomes {
  constructor(private readonly questions: OutcomeQuestions) {}

  /**
   * @param find for the rows of the last statement; without it there are none
   * @returns its rows when the transaction is committed; undefined when it is rolled back
   * @throws OutcomeUnknownError
   */
  ofTransaction<Row>(
    lost: LostAnswer,
    xid: string,
    find?: FindWritten<Row>,
  ): Promise<readonly Row[] | undefined> {
    const isPooled = lost.identity.session === undefined;
    return this.questions.ask<readonly Row[] | undefined>(lost, async (db) => {
      const status = await statusOf(db, xid);
      if (status === 'aborted') return undefined;
      // After a crash, the id of a transaction that was lost with it may be that of another one. A connection
      // to a pooler survives crashes, so the write may have been sent after the crash.
      if (status === 'in progress') return db.recovered && !isPooled ? undefined : RUNNING;
      const isCommitted = status === 'committed' && (find !== undefined || !db.recovered);
      const rows = isCommitted ? await (find?.(db, { since: db.since, xid }) ?? []) : undefined;
      if (rows === undefined) throw new OutcomeUnknownError();
      return rows;
    });
  }

  /**
   * @returns the rows of a statement that was its own transaction; undefined when it has written nothing
   * @throws OutcomeUnknownError
   */
  ofStatement<Row>(
    lost: LostAnswer,
    { text }: Statement,
    find: FindWritten<Row>,
  ): Promise<readonly Row[] | undefined> {
    const { session } = lost.identity;
    let askedAt: number | undefined;
    return this.questions.ask(lost, async (db) => {
      askedAt ??= performance.now();
      const running =
        session === undefined
          ? await db.query(statements.RUNNING_ALIKE, [text, performance.now() - askedAt])
          : await db.query(statements.END_SESSION, [session.pid, session.started]);
      return running.length > 0 ? RUNNING : find(db, { since: db.since });
    });
  }
}

async function statusOf(db: Asked, xid: string): Promise<string | null> {
  try {
    const values = [xid, !db.recovered];
    const [row] = await db.query<{ status: string | null }>(statements.TRANSACTION_STATUS, values);
    return row?.status ?? null;
  } catch (error) {
    // An id that is not given out yet was lost in a crash, with its transaction.
    if (errorCode(error) === statements.NOT_GIVEN_OUT) return 'aborted';
    throw error;
  }
}
