import { isOutage } from './connection/sqlstate.js';

/** Returns work that does not fail where the database is away: that is told elsewhere. */
export const unlessAway =
  (work: () => Promise<unknown>): (() => Promise<unknown>) =>
  () =>
    work().catch((error: unknown) => {
      if (!isOutage(error)) throw error;
    });

/**
 * Does work in the background at an interval, one run at a time, until it is stopped. A run that fails is
 * reported, and the next one comes as if it had not.
 */
export class RepeatedWork {
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;
  private stopped = false;

  /**
   * @param interval milliseconds
   * @param work looks at `isStopped` between its parts
   * @param failed is told the reason
   */
  constructor(
    private readonly interval: number,
    private readonly work: () => Promise<unknown>,
    private readonly failed: (reason: string) => void,
  ) {}

  isStopped(): boolean {
    return this.stopped;
  }

  /** Begins with a run now. */
  start(): void {
    this.timer = setInterval(() => this.begin(), this.interval);
    this.timer.unref();
    this.begin();
  }

  /** Ends after the part that is under way. */
  async stop(): Promise<void> {
    this.stopped = true;
    clearInterval(this.timer);
    await this.running;
  }

  private begin(): void {
    this.running ??= this.run().finally(() => (this.running = undefined));
  }

  private async run(): Promise<void> {
    try {
      await this.work();
    } catch (error) {
      this.failed(error instanceof Error ? error.message : String(error));
    }
  }
}
