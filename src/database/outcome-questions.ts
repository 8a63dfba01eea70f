import { setTimeout as delay } from 'node:timers/promises';
import type { Pool } from 'pg';
import type { DataSource } from 'typeorm';
import { readClock, readIdentity, type ConnectionIdentity } from './connection-identity.js';
import type { Deadline } from './deadline.js';
import { OutcomeUnknownError } from './outcome-unknown.error.js';
import type { Reader, Statement } from './queryable.js';
import { openSidePool } from './side-pool.js';

/** A write that was sent over a connection that was lost before the answer came. */
export interface LostAnswer {
  /** The connection that it was sent over. */
  readonly identity: ConnectionIdentity;
  /** When it was sent, by the clock of `performance`. */
  readonly sentAt: number;
  readonly deadline: Deadline;
}

/** What a question is asked with. */
export interface Asked extends Reader {
  readonly since: number;
  /** The server has recovered from a crash since the write was sent. */
  readonly recovered: boolean;
}

/** The write has not come to its end yet. */
export const RUNNING = Symbol('running');
const CONNECTIONS = 2;

/** Milliseconds by which a time may be rounded up. */
const ROUNDING = 0.002;

/** Milliseconds between two measurements of a clock that say that it was set. */
const CLOCK_STEP = 1_000;

/** Milliseconds for one question. */
const TIMEOUT = 1_000;

/** Milliseconds after which the connections are closed, so that they are new after the next loss. */
const IDLE = 1_000;

/** Asks the database about lost writes, over new connections. */
export class OutcomeQuestions {
  private pool: Pool | undefined;

  constructor(private readonly dataSource: DataSource) {}

  async close(): Promise<void> {
    await this.pool?.end();
  }

  /**
   * Asks until there is an answer, or the deadline of the write has come.
   * @throws OutcomeUnknownError when there is none, and when the server is another one than that of the write
   */
  async ask<T>(lost: LostAnswer, question: (db: Asked) => Promise<T | typeof RUNNING>): Promise<T> {
    let reason: unknown = new Error('it still runs');
    for (let pause = 5; lost.deadline.left > 0; pause = Math.min(2 * pause, 100)) {
      try {
        const answer = await lost.deadline.wait(this.askOnce(lost, question), lost.deadline.left);
        if (answer !== RUNNING) return answer;
      } catch (error) {
        if (error instanceof OutcomeUnknownError) throw error;
        reason = error;
      }
      await delay(Math.min(pause, lost.deadline.left));
    }
    throw new OutcomeUnknownError(reason);
  }

  private async askOnce<T>(lost: LostAnswer, question: (db: Asked) => Promise<T>): Promise<T> {
    this.pool ??= openSidePool(this.dataSource, {
      max: CONNECTIONS,
      timeout: TIMEOUT,
      idle: IDLE,
      name: 'outcomes',
    });
    const client = await this.pool.connect();
    let failure: Error | undefined;
    try {
      const { timeline, recovered } = await readIdentity(client);
      const ahead = await readClock(client);
      const since = lost.sentAt + clockAhead(lost.identity.ahead, ahead) - ROUNDING;
      if (timeline === undefined || timeline !== lost.identity.timeline) {
        throw new OutcomeUnknownError(
          new Error('the server is another one, or has become the primary since'),
        );
      }
      const query = async <Row>(statement: Statement, values: readonly unknown[]): Promise<Row[]> =>
        (await client.query({ ...statement, values: [...values] })).rows as Row[];
      return await question({ query, since, recovered: recovered !== lost.identity.recovered });
    } catch (error) {
      failure = error as Error;
      throw error;
    } finally {
      client.release(failure);
    }
  }
}

/**
 * Returns how far the clock of the server is ahead of that of this process, by two measurements. Each says
 * too little by the time that its answer took, so the larger one is better. Where a machine was suspended or
 * a clock was set between them, the smaller one includes whatever was written since the statement was sent.
 */
function clockAhead(before: number, now: number): number {
  return Math.abs(before - now) < CLOCK_STEP ? Math.max(before, now) : Math.min(before, now);
}
