import { FINDING_OUT } from './limits.js';
import { NoAnswerError } from './no-answer.error.js';
import { OutOfTimeError } from './out-of-time.error.js';

const SHORTEST = 500;

/** The end of a request, or of a unit of work in its course. */
export class Deadline {
  private end: number;
  /** The request ends before the work would. */
  private readonly isOfRequest: boolean;

  /**
   * @param limit milliseconds from now
   * @param whole that of the request; the work ends with it
   */
  constructor(limit: number, whole?: Deadline) {
    const end = performance.now() + limit;
    this.isOfRequest = whole !== undefined && whole.end < end;
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

  /** Milliseconds in which statements may begin; at least 0. The rest is for finding out what they did. */
  get leftForWork(): number {
    return Math.max(0, this.left - FINDING_OUT);
  }

  /**
   * A statement with less than half a second has no time for its answer, and a write would leave open what it
   * did.
   * @throws NoAnswerError when no statement should begin any more: OutOfTimeError where the
   *   request ends
   */
  requireTime(): void {
    if (this.leftForWork < SHORTEST) throw this.tooLate();
  }

  /** Milliseconds for an answer: `limit`, or less where less is left. */
  answerWithin(limit: number): number {
    return limit < this.leftForWork ? limit : this.shortened();
  }

  /**
   * Waits for something that need not be waited for to its end: a read, or what goes on for others.
   * @param milliseconds the longest wait. Default: while statements may begin
   * @throws what `work` throws; NoAnswerError when it takes longer: OutOfTimeError where the
   *   request ends
   */
  async wait<T>(work: Promise<T>, milliseconds = this.leftForWork): Promise<T> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => reject(this.tooLate()), milliseconds);
    });
    try {
      return await Promise.race([work, late]);
    } finally {
      clearTimeout(timer);
    }
  }

  /** A multiple of `SHORTEST`: Node.js keeps a list of timers for each duration. */
  private shortened(): number {
    return Math.max(1, Math.floor(this.leftForWork / SHORTEST)) * SHORTEST;
  }

  private tooLate(): NoAnswerError {
    return this.isOfRequest ? new OutOfTimeError() : new NoAnswerError();
  }
}
