import type { Connections } from './connections.js';
import { DatabaseUnavailableError } from './database-unavailable.error.js';
import type { Deadline } from './deadline.js';
import { OutcomeUnknownError } from './outcome-unknown.error.js';
import type { Outcomes } from './outcomes.js';
import { isRead, type FindWritten, type Statement } from './queryable.js';
import { isConnectionLost } from './sqlstate.js';

/** Runs statements, each of which is its own transaction. */
export class SingleStatements {
  /** @param answer milliseconds after which an answer counts as lost */
  constructor(
    private readonly connections: Connections,
    private readonly outcomes: Outcomes,
    private readonly answer: number,
  ) {}

  /**
   * Runs a statement once.
   * @throws DatabaseUnavailableError when nothing has happened; OutcomeUnknownError; errors of the statement
   */
  async run<Row>(
    statement: Statement,
    values: readonly unknown[],
    { deadline, find }: { readonly deadline: Deadline; readonly find: FindWritten<Row> | undefined },
  ): Promise<Row[]> {
    const client = await this.connections.take(deadline);
    const sentAt = performance.now();
    const query_timeout = deadline.answerWithin(this.answer);
    let failure: unknown;
    try {
      const limited = { ...statement, values: [...values], query_timeout };
      return (await client.query(limited)).rows as Row[];
    } catch (error) {
      failure = error;
      const reported = this.connections.failed(client, error, query_timeout < this.answer);
      if (!isConnectionLost(error)) throw reported;
      if (isRead(statement)) throw new DatabaseUnavailableError(error, true);
      if (find === undefined) throw new OutcomeUnknownError(error);
    } finally {
      this.connections.release(client, failure);
    }
    const lost = {
      identity: this.connections.identityOf(client),
      sentAt,
      deadline,
    };
    const rows = await this.outcomes.ofStatement(lost, statement, find);
    if (rows === undefined) throw new DatabaseUnavailableError(failure, true);
    return [...rows];
  }
}
