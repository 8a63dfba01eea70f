import { FINDING_OUT } from './limits.js';

const SHORTEST = 500;

/** The end of a unit of work. */
export class Deadline {
  private readonly end: number;

  /** @param limit milliseconds from now */
  constructor(limit: number) {
    this.end = performance.now() + limit;
  }

  /** Milliseconds until the end; at least 0. */
  get left(): number {
    return Math.max(0, this.end - performance.now());
  }

  /** No statement should begin any more: what is left is for finding out what became of those before. */
  get isNear(): boolean {
    return this.left <= FINDING_OUT;
  }

  /** Milliseconds for an answer: `limit`, or less where less is left. */
  answerWithin(limit: number): number {
    return limit < this.left - FINDING_OUT ? limit : this.shortened();
  }

  /** A multiple of `SHORTEST`: Node.js keeps a list of timers for each duration. */
  private shortened(): number {
    return Math.max(1, Math.floor((this.left - FINDING_OUT) / SHORTEST)) * SHORTEST;
  }
}
