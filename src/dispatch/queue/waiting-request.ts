import type { AccountContext } from '../../accounts/index.js';
import type { Deadline } from '../../database/index.js';
import { unavailable } from '../../errors/errors.js';
import type { Outcome } from '../transaction/outcome.js';

/**
 * Milliseconds that a request waits for its transaction to begin, unless it must be answered before. Then it
 * gets 503.
 */
const PATIENCE = 5_000;

/**
 * Milliseconds for statements that a request needs to be taken into a transaction. It is more than a
 * statement needs to begin: when the clock ends a transaction, the first of its requests has less left.
 */
const LEAST = 1_000;

/** A dispatch that waits for its outcome. */
export class WaitingRequest {
  private readonly until: number;
  private timer: NodeJS.Timeout | undefined;

  readonly deadline: Deadline | undefined;
  readonly requestId: string | undefined;

  /** @param request what is known of its request */
  constructor(
    readonly objectId: string,
    request: Pick<AccountContext, 'deadline' | 'requestId'>,
    private readonly answer: {
      readonly resolve: (outcome: Outcome) => void;
      readonly reject: (error: unknown) => void;
    },
  ) {
    this.deadline = request.deadline;
    this.requestId = request.requestId;
    this.until = performance.now() + Math.max(0, Math.min(PATIENCE, this.timeLeft - LEAST));
  }

  /** Whether there is time for statements. */
  get isInTime(): boolean {
    return this.timeLeft >= LEAST;
  }

  /** Begins the wait for a transaction. @param onEnd called where it takes too long */
  wait(onEnd: () => void): void {
    this.timer = setTimeout(onEnd, Math.max(0, this.until - performance.now()));
  }

  /** Ends the wait, when a transaction takes the request. */
  endWait(): void {
    clearTimeout(this.timer);
  }

  resolve(outcome: Outcome): void {
    this.answer.resolve(outcome);
  }

  reject(error: unknown): void {
    this.endWait();
    this.answer.reject(error);
  }

  /** Milliseconds in which statements may begin. */
  private get timeLeft(): number {
    return this.deadline?.left ?? Infinity;
  }
}

/**
 * Refuses the requests that have too little time left.
 * @param error called for each of them: an error that nobody gets costs its stack trace
 * @returns the others
 */
export function refuseLate(requests: readonly WaitingRequest[], error: () => Error): WaitingRequest[] {
  for (const one of requests) if (!one.isInTime) one.reject(error());
  return requests.filter(({ isInTime }) => isInTime);
}

/** The error for a request that has too little time left. */
export function tooLate(): Error {
  return unavailable('Too little time is left for this dispatch, try again shortly');
}

/** The error for a request that would wait behind too many, or has waited too long. */
export function tooMany(): Error {
  return unavailable('Too many dispatches wait for this router, try again shortly');
}
