import type { Connections } from './connections.js';
import { DatabaseUnavailableError } from './database-unavailable.error.js';
import type { Deadline } from './deadline.js';
import { OutcomeUnknownError } from './outcome-unknown.error.js';
import type { Outcomes } from './outcomes.js';
import { sendWithTurn } from './pg-internals.js';
import { sendQuery } from './pg-query-internals.js';
import { isRead, type FindWritten, type Statement } from './queryable.js';
import type { SharedConnections } from './shared-connections.js';
import { isConnectionLost } from './sqlstate.js';

/** How a statement runs. */
export interface StatementOptions<Row> {
  readonly deadline: Deadline;
  readonly find: FindWritten<Row> | undefined;
  /** The account that it is for; undefined where its brief reads share no connection. */
  readonly holder: string | undefined;
}

/** Runs statements, each of which is its own transaction. */
export class SingleStatements {
  private readonly connections: Connections;
  private readonly shared: SharedConnections;
  private readonly outcomes: Outcomes;

  /** @param answer milliseconds after which an answer counts as lost */
  constructor(
    parts: {
      readonly connections: Connections;
      readonly shared: SharedConnections;
      readonly outcomes: Outcomes;
    },
    private readonly answer: number,
  ) {
    this.connections = parts.connections;
    this.shared = parts.shared;
    this.outcomes = parts.outcomes;
  }

  /**
   * Runs a statement once.
   * @throws DatabaseUnavailableError when nothing has happened; OutcomeUnknownError; errors of the statement
   */
  async run<Row>(
    statement: Statement,
    values: readonly unknown[],
    { deadline, find, holder }: StatementOptions<Row>,
  ): Promise<Row[]> {
    const sharing = this.sharing(statement, deadline) ? holder : undefined;
    const { client, release } = await (sharing === undefined
      ? this.connections.take(deadline)
      : this.shared.take(sharing, deadline));
    const sentAt = performance.now();
    const limit = deadline.answerWithin(this.answer);
    let failure: unknown;
    try {
      if (sharing !== undefined) sendWithTurn(client);
      return (await sendQuery(client, { ...statement, values, limit })).rows as Row[];
    } catch (error) {
      failure = error;
      const reported = this.connections.failed(client, error, limit < this.answer);
      if (!isConnectionLost(error)) throw reported;
      if (isRead(statement)) throw new DatabaseUnavailableError(error, true);
      if (find === undefined) throw new OutcomeUnknownError(error);
    } finally {
      release(failure);
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

  /** A read with less time than usual has its own connection: what it does not wait for is cut. */
  private sharing({ brief = false }: Statement, deadline: Deadline): boolean {
    return brief && deadline.answerWithin(this.answer) === this.answer;
  }
}
