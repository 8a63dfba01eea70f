import { setTimeout as delay } from 'node:timers/promises';
import { reasonOf } from './errors.js';
import { isOutage } from './connection/sqlstate.js';

/** What work returns that was not done. */
const AWAY = Symbol('away');

/** Returns work that does not fail where the database is away: that is told elsewhere. */
export const unlessAway =
  (work: () => Promise<unknown>): (() => Promise<unknown>) =>
  () =>
    work().catch((error: unknown) => {
      if (!isOutage(error)) throw error;
      return AWAY;
    });

/** Most rows that one statement of a sweep deletes, so that it does not lock many of them for long. */
const MOST_AT_ONCE = 1_000;

/** The work that this process repeats, by name. */
const REPEATED = new Map<string, RepeatedWork>();

/** Returns by how many seconds each work of this process is late; null for what was not done yet. */
export function lagsOfWork(): { readonly name: string; readonly seconds: number | null }[] {
  return [...REPEATED].map(([name, work]) => ({ name, seconds: work.lag() }));
}

/**
 * Does work in the background at an interval, one run at a time, until it is stopped. A run that fails is
 * reported, and the next one comes as if it had not.
 */
export class RepeatedWork {
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;
  private stopped = false;
  private doneAt: number | undefined;
  private name = '';

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

  /** By how many seconds it is late, from the end of the last run that has not failed. */
  lag(): number | null {
    if (this.doneAt === undefined) return null;
    return Math.max(0, Math.round((performance.now() - this.doneAt - this.interval) / 1_000));
  }

  /** Begins with a run now. @param name by which `lagsOfWork` has it */
  start(name: string): void {
    this.name = name;
    REPEATED.set(name, this);
    this.timer = setInterval(() => this.begin(), this.interval);
    this.timer.unref();
    this.begin();
  }

  /** Ends after the part that is under way. */
  async stop(): Promise<void> {
    this.stopped = true;
    if (REPEATED.get(this.name) === this) REPEATED.delete(this.name);
    clearInterval(this.timer);
    await this.running;
  }

  /**
   * Deletes rows, slice by slice, until a slice is not full or the work is stopped. Pauses behind each for as
   * long as it took.
   * @param deleteSome deletes at most so many rows, and returns how many
   * @returns how many were deleted
   */
  async inSlices(deleteSome: (most: number) => Promise<number>): Promise<number> {
    let deleted = 0;
    for (let some = MOST_AT_ONCE; some >= MOST_AT_ONCE && !this.isStopped();) {
      const started = performance.now();
      some = await deleteSome(MOST_AT_ONCE);
      deleted += some;
      if (some > 0 && !this.isStopped()) await delay(performance.now() - started);
    }
    return deleted;
  }

  private begin(): void {
    this.running ??= this.run().finally(() => (this.running = undefined));
  }

  private async run(): Promise<void> {
    try {
      if ((await this.work()) !== AWAY) this.doneAt = performance.now();
    } catch (error) {
      this.failed(reasonOf(error));
    }
  }
}
