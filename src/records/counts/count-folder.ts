import {
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { isUnavailable, SettledIds } from '../../database/index.js';
import { CounterKeeper } from './counter-keeper.js';
import { DISTANCE, RecordCountsRepository, type CountedType } from './record-counts.repository.js';

/** Milliseconds between two looks at what waits. */
const INTERVAL = 1_000;

/** The same after a failure, such as that of a database which cannot be written. */
const PAUSE = 15_000;

/**
 * Adds the changes of records to their counts in the background, so that a request reads few of them, and
 * runs the keeper of counters. Counts are exact at any time, whether this runs or not. Several processes may
 * run it.
 */
@Injectable()
export class CountFolder implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(CountFolder.name);
  private readonly settled = new SettledIds(DISTANCE);
  /** Types that a request found much to count of, by their key. */
  private readonly wanted = new Map<string, CountedType>();
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> = Promise.resolve();
  private isStopped = false;

  constructor(
    private readonly counts: RecordCountsRepository,
    private readonly keeper: CounterKeeper,
  ) {}

  onApplicationBootstrap(): void {
    this.schedule();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.isStopped = true;
    this.keeper.stop();
    clearTimeout(this.timer);
    await this.running;
  }

  /** Asks for new records of a type to be counted. */
  want(type: CountedType): void {
    this.wanted.set(`${type.accountId} ${type.objectType}`, type);
  }

  /** Adds what waits. @throws what the database throws */
  async fold(): Promise<void> {
    const changed = await this.counts.findChanged();
    if (changed.length === 0 && this.wanted.size === 0) return;
    const settled = this.settled.add(await this.counts.observe());
    if (settled === undefined) return;
    changed.forEach((type) => this.want(type));
    const types = [...this.wanted.values()];
    this.wanted.clear();
    for (const type of types) {
      if (this.isStopped) return;
      // What is left is done in the next round, after the other types.
      if (await this.foldType(type, settled)) this.want(type);
    }
  }

  /** @returns whether more is to be done. The failure of one type does not keep others from being folded. */
  private async foldType(type: CountedType, settled: Date): Promise<boolean> {
    try {
      return await this.counts.fold(type, settled);
    } catch (error) {
      if (isUnavailable(error)) {
        this.want(type);
        throw error;
      }
      this.logger.error(`The ${type.objectType} of an account could not be counted`, error);
      return true;
    }
  }

  private async run(): Promise<void> {
    await this.fold();
    await this.keeper.run();
  }

  private schedule(after = INTERVAL): void {
    this.timer = setTimeout(() => {
      this.running = this.run().then(
        () => this.scheduleNext(INTERVAL),
        (error: unknown) => {
          // The outage of a database is told elsewhere.
          if (!isUnavailable(error)) this.logger.error('Records could not be counted', error);
          this.scheduleNext(PAUSE);
        },
      );
    }, after);
    this.timer.unref();
  }

  private scheduleNext(after: number): void {
    if (!this.isStopped) this.schedule(after);
  }
}
