const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 2_000;

/** Milliseconds without a further loss after which the server counts as back. */
const STEADY_MS = 5_000;

/**
 * The time in which the server is lost, and comes back, perhaps not for long. It is spoken of three times at
 * most, however many attempts there are: when it begins, when the first attempt fails, and when it is over.
 */
export class Outage {
  /** When the server was lost, by `performance.now()`. Undefined while there is no outage. */
  private since: number | undefined;
  private pause = 0;
  private explained = false;
  private steady: NodeJS.Timeout | undefined;

  constructor(private readonly log: (message: string) => void) {}

  /** The server was lost. */
  begin(): void {
    clearTimeout(this.steady);
    if (this.since !== undefined) return;
    this.since = performance.now();
    this.log('The embedded PostgreSQL was lost; it is being brought back.');
  }

  /** Returns the milliseconds to wait before the next attempt: none at first, then more and more. */
  nextPause(): number {
    const { pause } = this;
    this.pause = pause === 0 ? FIRST_PAUSE_MS : Math.min(2 * pause, LONGEST_PAUSE_MS);
    return pause;
  }

  /** An attempt has failed. */
  failed(error: unknown): void {
    if (this.explained) return;
    this.explained = true;
    const reason = error instanceof Error ? error.message : String(error);
    this.log(`The embedded PostgreSQL cannot be brought back yet; it is tried until it can be. ${reason}`);
  }

  /** An attempt has succeeded. */
  answered(): void {
    const seconds = ((performance.now() - (this.since ?? 0)) / 1000).toFixed(1);
    this.steady = setTimeout(() => this.end(seconds), STEADY_MS).unref();
  }

  /** Speaks no more. */
  stop(): void {
    clearTimeout(this.steady);
  }

  private end(seconds: string): void {
    this.log(`The embedded PostgreSQL is back, ${seconds} s after it was lost.`);
    this.since = undefined;
    this.pause = 0;
    this.explained = false;
  }
}
