import { NoAnswerError } from './errors.js';

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
