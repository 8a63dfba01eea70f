import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { setTimeout as delay } from 'node:timers/promises';
import { isOutage } from './connection/sqlstate.js';
import { reasonOf } from './errors.js';

/** Most rows that one statement of a sweep deletes, so that it does not lock many of them for long. */
const MOST_AT_ONCE = 1_000;

/** Work that a process does again and again, beside requests. */
interface RepeatedWork {
  /** By which `lags` has it. */
  readonly name: string;
  /** Milliseconds between two runs. */
  readonly every: number;
  /** Begins after as many milliseconds, and not at the start. */
  readonly isLater?: boolean;
  /** Goes on until the requests under way have their answers. */
  readonly isLast?: boolean;
  /** What the log says of a run that fails, in front of the reason. */
  readonly failure: string;
  /** Looks at `isStopped` between its parts. */
  readonly run: () => Promise<unknown>;
}

interface Repetition {
  readonly work: RepeatedWork;
  timer?: NodeJS.Timeout;
  /** When it was last done, by the clock of `performance`. */
  doneAt?: number;
  running?: Promise<void> | undefined;
}

/**
 * The work that this process does in the background, each one run at a time, until the application is closed.
 * A run that fails is logged, unless the database is away, which is told elsewhere, and the next one comes as
 * if it had not.
 */
@Injectable()
export class Background implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(Background.name);
  private readonly all: Repetition[] = [];
  private stopped = false;

  /** Declares work, before the application has started. */
  repeat(work: RepeatedWork): void {
    this.all.push({ work });
  }

  isStopped(): boolean {
    return this.stopped;
  }

  /**
   * By how many seconds each work is late, from the end of the last run that has not failed; null for what
   * was not done yet.
   */
  lags(): { readonly name: string; readonly seconds: number | null }[] {
    return this.all.map(({ work: { name, every }, doneAt }) => ({
      name,
      seconds:
        doneAt === undefined ? null : Math.max(0, Math.round((performance.now() - doneAt - every) / 1_000)),
    }));
  }

  onApplicationBootstrap(): void {
    for (const each of this.all) {
      each.timer = setInterval(() => this.begin(each), each.work.every).unref();
      if (each.work.isLater !== true) this.begin(each);
    }
  }

  /** Ends each work after the part that is under way. */
  async onModuleDestroy(): Promise<void> {
    this.stopped = true;
    await this.end(this.all.filter(({ work }) => work.isLast !== true));
  }

  /** Ends what is left. */
  stop(): Promise<void> {
    return this.end(this.all);
  }

  /**
   * Deletes rows, slice by slice, until a slice is not full or the application is closed. Pauses behind each
   * for as long as it took.
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

  private async end(repetitions: readonly Repetition[]): Promise<void> {
    for (const { timer } of repetitions) clearInterval(timer);
    for (const { running } of repetitions) await running;
  }

  private begin(each: Repetition): void {
    each.running ??= this.run(each).finally(() => (each.running = undefined));
  }

  private async run(each: Repetition): Promise<void> {
    try {
      await each.work.run();
      each.doneAt = performance.now();
    } catch (error) {
      if (!isOutage(error)) this.logger.error(`${each.work.failure}: ${reasonOf(error)}`);
    }
  }
}
