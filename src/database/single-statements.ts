import type { Connections, Lease } from './connections.js';
import type { Deadline } from './deadline.js';
import type { DatabaseLimits } from './limits.js';
import type { LostWrites, SingleWrite } from './lost-writes.js';
import { sendWithTurn } from './pg-internals.js';
import { sendQuery } from './pg-query-internals.js';
import type { FindWritten, Statement } from './queryable.js';
import { SharedCommits } from './shared-commits.js';
import type { SharedConnections } from './shared-connections.js';
import { isConnectionLost } from './sqlstate.js';

/** How a statement runs. */
export interface StatementOptions<Row> {
  readonly deadline: Deadline;
  readonly find: FindWritten<Row> | undefined;
  /** The account that it is for; undefined where it shares nothing. */
  readonly holder: string | undefined;
}

/** What statements are run with. */
interface StatementParts {
  readonly connections: Connections;
  readonly shared: SharedConnections;
  readonly lost: LostWrites;
}

/** Runs statements, each in a transaction of its own, or in one with other writes of its account. */
export class SingleStatements {
  private readonly commits: SharedCommits;
  /** Milliseconds after which an answer counts as lost. */
  private readonly answer: number;

  constructor(
    private readonly parts: StatementParts,
    limits: Pick<DatabaseLimits, 'answer' | 'statement' | 'lock'>,
  ) {
    this.answer = limits.answer;
    this.commits = new SharedCommits({ ...parts, alone: (write) => this.alone(write) }, limits);
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
    // What has less time than usual shares nothing: where it does not wait any more, it is cut.
    if (holder === undefined || deadline.answerWithin(this.answer) < this.answer) return this.alone(work);
    if (statement.sharesCommit === true) return this.commits.run(holder, work) as Promise<Row[]>;
    return statement.brief === true ? this.alone(work, holder) : this.alone(work);
  }

  /** @param sharing the account whose brief reads share a connection with it */
  private async alone<Row>(work: SingleWrite<Row>, sharing?: string): Promise<Row[]> {
    const { connections, shared, lost } = this.parts;
    const { statement, values, deadline } = work;
    const { client, release }: Lease = await (sharing === undefined
      ? connections.take(deadline)
      : shared.take(sharing, deadline));
    const sentAt = performance.now();
    const limit = deadline.answerWithin(this.answer);
    let failure: unknown;
    try {
      if (sharing !== undefined) sendWithTurn(client);
      return (await sendQuery(client, { ...statement, values, limit })).rows as Row[];
    } catch (error) {
      failure = error;
      const reported = connections.failed(client, error, limit < this.answer);
      if (!isConnectionLost(error)) throw reported;
    } finally {
      release(failure);
    }
    return lost.ofStatement(work, { identity: connections.identityOf(client), sentAt, error: failure });
  }
}
