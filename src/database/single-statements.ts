import type { Connections, Lease } from './connections.js';
import { DatabaseUnavailableError } from './database-unavailable.error.js';
import type { Deadline } from './deadline.js';
import { GroupedWrites, type LostConnection, type Write } from './grouped-writes.js';
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

/** Runs statements, each of which is its own transaction, or one with other writes of its account. */
export class SingleStatements {
  private readonly connections: Connections;
  private readonly shared: SharedConnections;
  private readonly outcomes: Outcomes;
  private readonly groups: GroupedWrites;

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
    const { connections } = parts;
    this.groups = new GroupedWrites(
      {
        connections,
        alone: (write) => this.alone(write, () => connections.take(write.deadline)),
        settle: (write, lost) => this.settle(write, lost),
      },
      answer,
    );
  }

  /**
   * Runs a statement once.
   * @throws DatabaseUnavailableError when nothing has happened; OutcomeUnknownError; errors of the statement
   */
  run<Row>(
    statement: Statement,
    values: readonly unknown[],
    { deadline, find, holder }: StatementOptions<Row>,
  ): Promise<Row[]> {
    const work = { statement, values, deadline, find };
    // A statement with less time than usual has its own connection: what it does not wait for is cut.
    const isAlone = holder === undefined || deadline.answerWithin(this.answer) < this.answer;
    if (isAlone) return this.alone(work, () => this.connections.take(deadline));
    if (statement.grouped === true) return this.groups.run(holder, work) as Promise<Row[]>;
    if (statement.brief !== true) return this.alone(work, () => this.connections.take(deadline));
    return this.alone(work, async () => {
      const lease = await this.shared.take(holder, deadline);
      sendWithTurn(lease.client);
      return lease;
    });
  }

  private async alone<Row>(work: Write<Row>, take: () => Promise<Lease>): Promise<Row[]> {
    const { statement, values, deadline } = work;
    const { client, release } = await take();
    const sentAt = performance.now();
    const limit = deadline.answerWithin(this.answer);
    let failure: unknown;
    try {
      return (await sendQuery(client, { ...statement, values, limit })).rows as Row[];
    } catch (error) {
      failure = error;
      const reported = this.connections.failed(client, error, limit < this.answer);
      if (!isConnectionLost(error)) throw reported;
    } finally {
      release(failure);
    }
    return this.settle(work, { identity: this.connections.identityOf(client), sentAt, error: failure });
  }

  /** Finds out what became of a statement whose answer was lost. */
  private async settle<Row>(
    { statement, deadline, find }: Write<Row>,
    { error, ...lost }: LostConnection,
  ): Promise<Row[]> {
    if (isRead(statement)) throw new DatabaseUnavailableError(error, true);
    if (find === undefined) throw new OutcomeUnknownError(error);
    const rows = await this.outcomes.ofStatement({ ...lost, deadline }, statement, find);
    if (rows === undefined) throw new DatabaseUnavailableError(error, true);
    return [...rows];
  }
}
