import type { PoolClient, QueryResult } from 'pg';
import { type DatabaseLimits, Deadline } from './deadline.js';
import { sendLimited, sendTogether, type SentQuery } from '../driver/driver.js';
import { OutcomeUnknownError } from '../errors.js';
import type { Nodes } from './nodes.js';
import { isConnectionLost } from './sqlstate.js';

/** Most writes of one transaction. */
const MOST = 16;

/**
 * Milliseconds of a wait for a lock. The other writes wait too, so that no two transactions wait for long.
 */
const LOCK_WAIT_MS = 20;

/** Milliseconds for which writes of an account share nothing after some were undone together. */
const PAUSE_MS = 1_000;

/** A write of one row. */
interface Write<Row> {
  /** The write, on a cluster its steps. */
  readonly queries: readonly SentQuery[];
  readonly deadline: Deadline;
  /** Runs it in a transaction of its own. */
  readonly alone: () => Promise<Row[]>;
}

interface Waiting extends Write<unknown> {
  readonly resolve: (rows: unknown[] | Promise<unknown[]>) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Lets the writes of an account that come in one turn of the event loop share a transaction: they travel in
 * one packet and have one COMMIT, which cost more than a write of one row. None waits for others to come.
 * Each is answered after the COMMIT.
 *
 * Where one of them fails, or takes long, nothing is committed, and each runs again by itself, so that
 * its answer is its own. For a second, writes of the account then share nothing (ADR 34).
 */
export class SharedCommits {
  private readonly open = new Map<string, Waiting[]>();
  /** Until when writes of accounts share nothing, by the clock of `performance`. */
  private readonly paused = new Map<string, number>();

  constructor(
    private readonly nodes: Nodes,
    private readonly limits: Pick<DatabaseLimits, 'answer'>,
  ) {}

  /** @throws what the write throws in a transaction of its own */
  run<Row>(accountId: string, write: Write<Row>): Promise<Row[]> {
    if (this.isPaused(accountId)) return write.alone();
    return new Promise<unknown[]>((resolve, reject) => {
      this.joinable(accountId).push({ ...write, resolve, reject });
    }) as Promise<Row[]>;
  }

  private isPaused(accountId: string): boolean {
    const until = this.paused.get(accountId) ?? 0;
    if (performance.now() < until) return true;
    this.paused.delete(accountId);
    return false;
  }

  /** The writes that others may still join. They are sent at the end of the turn. */
  private joinable(accountId: string): Waiting[] {
    const present = this.open.get(accountId);
    if (present !== undefined && present.length < MOST) return present;
    const writes: Waiting[] = [];
    this.open.set(accountId, writes);
    setImmediate(() => {
      if (this.open.get(accountId) === writes) this.open.delete(accountId);
      void this.send(accountId, writes);
    });
    return writes;
  }

  private async send(accountId: string, writes: readonly Waiting[]): Promise<void> {
    try {
      const rows = writes.length > 1 ? await this.together(accountId, writes) : undefined;
      if (rows === undefined && writes.length > 1) this.paused.set(accountId, performance.now() + PAUSE_MS);
      writes.forEach(({ alone, resolve }, index) => resolve(rows?.[index] ?? alone()));
    } catch (error) {
      for (const { reject } of writes) reject(error);
    }
  }

  /**
   * @returns the rows of each write; undefined where nothing was written
   * @throws DatabaseUnavailableError where nothing was sent; OutcomeUnknownError
   */
  private async together(accountId: string, writes: readonly Waiting[]): Promise<unknown[][] | undefined> {
    const deadline =
      Deadline.first(writes.map((write) => write.deadline)) ?? new Deadline(this.limits.answer);
    const client = await this.nodes.take(deadline, accountId);
    const limit = deadline.answerWithin(this.limits.answer);
    const answers = await Promise.allSettled(this.sendAll(client, writes, limit));
    const errors = answers.flatMap((each) => (each.status === 'rejected' ? [each.reason as unknown] : []));
    const committed = answers.at(-1);
    // A node of a cluster may have lost its session of another one, and has rolled back.
    const isUndone = committed?.status === 'fulfilled' && committed.value.command !== 'COMMIT';
    const lost = isUndone ? undefined : errors.find(isConnectionLost);
    if (lost === undefined) client.release();
    else this.nodes.failed(client, lost, { isHurried: limit < this.limits.answer });
    if (lost !== undefined) throw new OutcomeUnknownError(lost);
    if (errors.length > 0) return undefined;
    const results = answers
      .slice(1)
      .map((each) => (each as PromiseFulfilledResult<QueryResult<object>>).value);
    return writes.map(({ queries }) => results.splice(0, queries.length).at(-1)?.rows ?? []);
  }

  /** The answer to the COMMIT of a transaction in which something has failed is ROLLBACK. */
  private sendAll(client: PoolClient, writes: readonly Waiting[], limit: number): Promise<QueryResult>[] {
    sendTogether(client);
    const queries = writes.flatMap((write) => write.queries);
    // All statements together take half of the time for an answer at most.
    const most = Math.max(1, Math.floor(this.limits.answer / 2 / queries.length));
    const begin = `BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL lock_timeout = ${LOCK_WAIT_MS};
      SET LOCAL statement_timeout = ${most}`;
    return [{ text: begin }, ...queries, { text: 'COMMIT' }].map((query) =>
      sendLimited(client, query, limit),
    );
  }
}
