import { NoAnswerError } from '../errors.js';

/** Limits of time for connections and statements, in milliseconds. */
export interface DatabaseLimits {
  /** For a statement, in PostgreSQL. */
  readonly statement: number;
  /** For one wait for a lock. Work that waits longer gives its connection back and is rerun. */
  readonly lock: number;
  /**
   * For a transaction that sends nothing: PostgreSQL then ends its session, and its locks are free. It is
   * less than the time for which work waits for a lock, so that those who wait get it.
   */
  readonly idleInTransaction: number;
  /** For a connection: to get a free one of the pool, or to open one. */
  readonly poolWait: number;
  /** For an answer, which counts as lost then. It is longer than `statement`. */
  readonly answer: number;
}

/** The limits where settings give no others. */
export const DEFAULT_LIMITS: DatabaseLimits = {
  statement: 5_000,
  lock: 1_000,
  idleInTransaction: 4_000,
  poolWait: 3_000,
  answer: 6_000,
};

/** Settings of PostgreSQL that are limits of time. A role or a database may have values of their own. */
export const LIMIT_SETTINGS = ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout'];

/** The limits of a transaction with the option `long`. */
export const LONG_LIMITS = { statement: 30_000, idleInTransaction: 30_000, answer: 35_000, work: 600_000 };

/**
 * Milliseconds of a unit of work (one statement or one transaction), with its wait for a connection and its
 * reruns.
 */
const WORK_MS = 9_000;

/** The limit of a unit of work. It is longer than `WORK_MS` where the limits of one connection need more. */
export function workLimit({ poolWait, answer }: Pick<DatabaseLimits, 'poolWait' | 'answer'>): number {
  return Math.max(WORK_MS, poolWait + answer);
}

/**
 * Milliseconds that a statement has to have. With fewer, a write would leave open whether it has happened.
 */
const SHORTEST = 500;

/** The end of a request, or of a unit of work in its course. */
export class Deadline {
  private end: number;

  /**
   * @param limit milliseconds from now
   * @param whole that of the request; the work ends with it
   */
  constructor(limit: number, whole?: Deadline) {
    const end = performance.now() + limit;
    this.end = whole === undefined ? end : Math.min(end, whole.end);
  }

  /** The one that comes first; undefined where there is none. */
  static first(deadlines: readonly (Deadline | undefined)[]): Deadline | undefined {
    let first: Deadline | undefined;
    for (const each of deadlines) {
      if (each !== undefined && (first === undefined || each.end < first.end)) first = each;
    }
    return first;
  }

  /** Puts the end off by some milliseconds. */
  extend(milliseconds: number): void {
    this.end += milliseconds;
  }

  /** Milliseconds until the end; at least 0. */
  get left(): number {
    return Math.max(0, this.end - performance.now());
  }

  /** @throws NoAnswerError when no statement should begin any more */
  requireTime(): void {
    if (this.left < SHORTEST) throw new NoAnswerError();
  }

  /** Milliseconds for an answer: `limit`, or less where less is left. */
  answerWithin(limit: number): number {
    return Math.max(1, Math.min(limit, Math.ceil(this.left)));
  }

  /**
   * Waits for something that need not be waited for to its end: a read, or what goes on for others.
   * @throws what `work` throws; NoAnswerError when it takes longer
   */
  async wait<T>(work: Promise<T>): Promise<T> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => reject(new NoAnswerError()), this.left);
    });
    try {
      return await Promise.race([work, late]);
    } finally {
      clearTimeout(timer);
    }
  }
}
