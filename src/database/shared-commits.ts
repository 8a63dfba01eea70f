import type { PoolClient, QueryResult } from 'pg';
import type { Connections } from './connections.js';
import { Deadline } from './deadline.js';
import type { DatabaseLimits } from './limits.js';
import type { LostConnection, LostWrites, SingleWrite } from './lost-writes.js';
import { sendTogether } from './pg-internals.js';
import { sendQuery } from './pg-query-internals.js';
import { leavesConnection } from './sqlstate.js';

/** Most writes of one transaction. */
const MOST = 16;

/** Characters of a value that is too large to keep others waiting. */
const LARGE = 16 * 1024;

/** Milliseconds for which writes of an account share nothing after some were undone together. */
const PAUSE = 1_000;

/** Milliseconds of a wait for a lock. The other writes wait too. */
const LOCK_WAIT = 20;

/** What shared commits are made with. */
export interface SharedCommitParts {
  readonly connections: Connections;
  readonly lost: LostWrites;
  /** Runs a write in a transaction of its own. */
  readonly alone: (write: SingleWrite) => Promise<unknown[]>;
}

interface Waiting extends SingleWrite {
  readonly resolve: (rows: unknown[] | Promise<unknown[]>) => void;
  readonly reject: (error: unknown) => void;
}

type Answer = PromiseSettledResult<QueryResult>;

/** What has come of a transaction. */
interface Answers {
  readonly begun: Answer;
  readonly written: readonly Answer[];
  readonly committed: Answer;
}

/**
 * Lets the writes of an account that come in one turn of the event loop share a transaction: they travel in
 * one packet and have one COMMIT, which cost more than a write of one row (ADR 34). None waits for others to
 * come. Each is answered after the COMMIT.
 *
 * Where one of them fails, or takes long, nothing is committed, and each runs again by itself, so that its
 * answer is its own. For a second, writes of the account then share nothing: what fails again and again costs
 * others nothing more.
 */
export class SharedCommits {
  private readonly open = new Map<string, Waiting[]>();
  /** Until when writes of accounts share nothing, by the clock of `performance`. */
  private readonly paused = new Map<string, number>();
  private readonly begin: string;
  private readonly answer: number;

  /** @param limits those of the connections */
  constructor(
    private readonly parts: SharedCommitParts,
    { answer, statement, lock }: Pick<DatabaseLimits, 'answer' | 'statement' | 'lock'>,
  ) {
    this.answer = answer;
    // All statements together take half of the time for an answer at most.
    const most = Math.min(statement, Math.max(1, Math.floor(answer / 2 / MOST)));
    this.begin = `BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL lock_timeout = ${Math.min(lock, LOCK_WAIT)};
      SET LOCAL statement_timeout = ${most}; SELECT pg_current_xact_id()::text AS xid`;
  }

  /**
   * @param holder the account
   * @throws what a write in a transaction of its own throws
   */
  run(holder: string, write: SingleWrite): Promise<unknown[]> {
    if (this.isPaused(holder) || isLarge(write)) return this.parts.alone(write);
    return new Promise((resolve, reject) => this.joinable(holder).push({ ...write, resolve, reject }));
  }

  private pause(holder: string): void {
    this.paused.set(holder, performance.now() + PAUSE);
  }

  private isPaused(holder: string): boolean {
    const until = this.paused.get(holder);
    if (until === undefined) return false;
    if (performance.now() < until) return true;
    this.paused.delete(holder);
    return false;
  }

  /** The writes that others may still join. They are sent at the end of the turn. */
  private joinable(holder: string): Waiting[] {
    const present = this.open.get(holder);
    if (present !== undefined && present.length < MOST) return present;
    const writes: Waiting[] = [];
    this.open.set(holder, writes);
    setImmediate(() => {
      if (this.open.get(holder) === writes) this.open.delete(holder);
      void this.send(holder, writes);
    });
    return writes;
  }

  private async send(holder: string, writes: readonly Waiting[]): Promise<void> {
    try {
      const isSettled = writes.length > 1 && (await this.runTogether(holder, writes));
      if (isSettled) return;
      for (const write of writes) write.resolve(this.parts.alone(write));
    } catch (error) {
      for (const { reject } of writes) reject(error);
    }
  }

  /**
   * @returns false where nothing was written and each must run by itself
   * @throws DatabaseUnavailableError where nothing was sent
   */
  private async runTogether(holder: string, writes: readonly Waiting[]): Promise<boolean> {
    const { connections } = this.parts;
    const deadline = Deadline.first(writes.map((write) => write.deadline)) ?? new Deadline(this.answer);
    const { client, release } = await connections.take(deadline);
    const identity = connections.identityOf(client);
    // Behind a pooler nobody can tell afterwards whether the session still works on them.
    if (identity.session === undefined) this.pause(holder);
    if (identity.session === undefined || deadline.answerWithin(this.answer) < this.answer) {
      release();
      return false;
    }
    const sentAt = performance.now();
    const answers = await this.sendAll(client, writes);
    const error = failureOf(answers);
    if (error !== undefined) connections.failed(client, error);
    release(error);
    if (!isCommitted(answers)) this.pause(holder);
    if (isUndone(answers)) return false;
    const rows = isCommitted(answers)
      ? answers.written.map(rowsOf)
      : this.findOut(writes, answers, { identity, sentAt, error, deadline });
    writes.forEach(({ resolve }, index) => resolve(rows[index] ?? []));
    return true;
  }

  private async sendAll(client: PoolClient, writes: readonly SingleWrite[]): Promise<Answers> {
    const limit = this.answer;
    sendTogether(client);
    const begin = sendQuery(client, { text: this.begin, limit });
    const sent = writes.map(({ statement, values }) => sendQuery(client, { ...statement, values, limit }));
    const commit = sendQuery(client, { text: 'COMMIT', limit });
    const [[begun, committed], written] = await Promise.all([
      Promise.allSettled([begin, commit]),
      Promise.allSettled(sent),
    ]);
    return { begun, committed, written };
  }

  /** What became of writes whose COMMIT was not answered. */
  private findOut(
    writes: readonly SingleWrite[],
    { begun, written }: Answers,
    { deadline, ...connection }: LostConnection & { readonly deadline: Deadline },
  ): readonly Promise<unknown[]>[] {
    const { lost } = this.parts;
    const xid = idOf(begun);
    if (xid === undefined) return writes.map((write) => lost.ofStatement(write, connection));
    const answers = written.map((answer) => (isRejected(answer) ? undefined : answer.value.rows));
    return lost.ofTransaction(writes, { ...connection, deadline, xid }, answers);
  }
}

const isRejected = (answer: Answer): answer is PromiseRejectedResult => answer.status === 'rejected';

/** Whether PostgreSQL has answered with an error, so that it has undone the transaction. */
const isRefused = (answer: Answer): boolean => isRejected(answer) && leavesConnection(answer.reason);

/** The error that says most about the connection. */
const failureOf = ({ begun, written, committed }: Answers): unknown =>
  [committed, begun, ...written].find(isRejected)?.reason;

/** The answer to the COMMIT of a transaction in which something has failed is ROLLBACK. */
const isCommitted = ({ committed }: Answers): boolean =>
  !isRejected(committed) && committed.value.command === 'COMMIT';

/** Whether it is certain that nothing is committed. */
const isUndone = ({ begun, written, committed }: Answers): boolean =>
  (!isRejected(committed) && committed.value.command !== 'COMMIT') ||
  isRefused(committed) ||
  (!isRejected(begun) && written.some(isRefused));

const rowsOf = (answer: Answer): Promise<unknown[]> =>
  isRejected(answer) ? Promise.reject(answer.reason as Error) : Promise.resolve(answer.value.rows);

/** The driver answers several statements with a list of results. */
function idOf(begun: Answer): string | undefined {
  if (isRejected(begun)) return undefined;
  const results = begun.value as unknown as readonly QueryResult<{ xid: string }>[];
  return results.at(-1)?.rows[0]?.xid;
}

/** Whether a write would keep others waiting for long. */
const isLarge = ({ values }: SingleWrite): boolean =>
  values.some((value) => typeof value === 'string' && value.length > LARGE);
