import type { QueryResult } from 'pg';
import type { ConnectionIdentity } from './connection-identity.js';
import type { Connections } from './connections.js';
import { Deadline } from './deadline.js';
import { sendTogether } from './pg-internals.js';
import { sendQuery } from './pg-query-internals.js';
import type { FindWritten, Statement } from './queryable.js';
import { isConnectionLost } from './sqlstate.js';

/** Most writes of a group. */
const MOST = 16;

/** Milliseconds for which an account has no groups after one of its groups was undone. */
const PAUSE = 1_000;

/** A group hardly waits for a lock: the others in it would wait too. */
const BEGIN = 'BEGIN; SET LOCAL lock_timeout = 20';

/** A write that is a transaction by itself, or part of one with others. */
export interface Write<Row = unknown> {
  readonly statement: Statement;
  readonly values: readonly unknown[];
  readonly deadline: Deadline;
  readonly find: FindWritten<Row> | undefined;
}

/** A connection that was lost before the answer of a write came. */
export interface LostConnection {
  readonly identity: ConnectionIdentity;
  /** When the write was sent, by the clock of `performance`. */
  readonly sentAt: number;
  readonly error: unknown;
}

/** What a group is made with. */
export interface GroupParts {
  readonly connections: Connections;
  /** Runs a write in a transaction of its own. */
  readonly alone: (write: Write) => Promise<unknown[]>;
  /** Finds out what became of a write. @returns its rows, where it is committed */
  readonly settle: (write: Write, lost: LostConnection) => Promise<unknown[]>;
}

interface Waiting extends Write {
  readonly resolve: (rows: unknown[] | Promise<unknown[]>) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Makes one transaction of the writes of an account that come in one turn of the event loop: they travel in
 * one packet and share a COMMIT, which costs more than a write of one row (ADR 7). None waits for another to
 * come, nor for an answer to be read. Each is answered after the COMMIT.
 *
 * Where one of them fails, nothing is committed, and each runs again by itself, so that its answer is its
 * own. The account then has no groups for a second: what fails again and again costs others nothing more.
 */
export class GroupedWrites {
  private readonly open = new Map<string, Waiting[]>();
  /** Until when accounts have no groups, by the clock of `performance`. */
  private readonly paused = new Map<string, number>();

  /** @param answer milliseconds after which an answer counts as lost; each write must have as much time */
  constructor(
    private readonly parts: GroupParts,
    private readonly answer: number,
  ) {}

  /**
   * @param holder the account
   * @throws what a write that is alone throws
   */
  run(holder: string, write: Write): Promise<unknown[]> {
    if (this.isPaused(holder)) return this.parts.alone(write);
    return new Promise((resolve, reject) => this.groupOf(holder).push({ ...write, resolve, reject }));
  }

  private isPaused(holder: string): boolean {
    const until = this.paused.get(holder);
    if (until === undefined) return false;
    if (performance.now() < until) return true;
    this.paused.delete(holder);
    return false;
  }

  /** The group that others may still join; it is sent at the end of the turn. */
  private groupOf(holder: string): Waiting[] {
    const present = this.open.get(holder);
    if (present !== undefined && present.length < MOST) return present;
    const group: Waiting[] = [];
    this.open.set(holder, group);
    setImmediate(() => {
      if (this.open.get(holder) === group) this.open.delete(holder);
      void this.send(holder, group);
    });
    return group;
  }

  private async send(holder: string, group: readonly Waiting[]): Promise<void> {
    try {
      const isDone = group.length > 1 && (await this.runTogether(group));
      if (isDone) return;
      if (group.length > 1) this.paused.set(holder, performance.now() + PAUSE);
      for (const write of group) write.resolve(this.parts.alone(write));
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
  }

  /**
   * @returns false where nothing was written
   * @throws DatabaseUnavailableError where nothing was sent
   */
  private async runTogether(group: readonly Waiting[]): Promise<boolean> {
    const { connections, settle } = this.parts;
    const deadline = Deadline.first(group.map((write) => write.deadline)) ?? new Deadline(this.answer);
    const { client, release } = await connections.take(deadline);
    const identity = connections.identityOf(client);
    // Behind a pooler nobody can tell afterwards whether the session of the group still works.
    if (identity.session === undefined) {
      release();
      return false;
    }
    const sentAt = performance.now();
    const limit = this.answer;
    sendTogether(client);
    const begun = sendQuery(client, { text: BEGIN, limit });
    const answers = group.map(({ statement, values }) => sendQuery(client, { ...statement, values, limit }));
    const committed = sendQuery(client, { text: 'COMMIT', limit });
    const [end, first, ...rows] = await Promise.allSettled([committed, begun, ...answers]);
    const failure = [first, ...rows, end].find(isRejected)?.reason as unknown;
    if (failure !== undefined) connections.failed(client, failure);
    release(failure);
    if (isRejected(end) && isConnectionLost(end.reason)) {
      const lost = { identity, sentAt, error: end.reason as unknown };
      for (const write of group) write.resolve(settle(write, lost));
      return true;
    }
    // PostgreSQL answers ROLLBACK to the COMMIT of a transaction in which something failed.
    if (isRejected(end) || end.value.command !== 'COMMIT') return false;
    group.forEach(({ resolve, reject }, index) => {
      const answer = rows[index] as PromiseSettledResult<QueryResult>;
      if (isRejected(answer)) reject(answer.reason);
      else resolve(answer.value.rows as unknown[]);
    });
    return true;
  }
}

const isRejected = (settled: PromiseSettledResult<unknown> | undefined): settled is PromiseRejectedResult =>
  settled?.status === 'rejected';
