import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Database, isLockTimeout, isUnavailable, timeOfId } from '../../database/index.js';
import { readClock, readEarlierClock } from './log-clock.js';
import { MonthDropper } from './month-dropper.js';
import { MonthMaker } from './month-maker.js';
import { monthStart } from './month.js';

const HOUR = 3_600_000;

/** Has the months of the log made and dropped, at the start and once an hour. */
@Injectable()
export class LogMonths implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(LogMonths.name);
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;

  constructor(
    private readonly database: Database,
    private readonly maker: MonthMaker,
    private readonly dropper: MonthDropper,
  ) {}

  onApplicationBootstrap(): void {
    const begin = (): void => {
      this.running ??= this.turn().finally(() => (this.running = undefined));
    };
    this.timer = setInterval(begin, HOUR);
    this.timer.unref();
    begin();
  }

  /** Ends after what is under way. */
  async onModuleDestroy(): Promise<void> {
    clearInterval(this.timer);
    await this.running;
  }

  /** Makes and drops months. What fails is logged, and tried again in an hour. */
  async turn(): Promise<void> {
    await this.attempt('made', async () => {
      const { assignments: made } = await this.maker.make(await readClock(this.database));
      if (made.length > 0) this.logger.log(`The assignment log has partitions for ${made.join(', ')}`);
    });
    await this.attempt('dropped', async () => {
      const dropped = await this.dropper.drop(await readEarlierClock(this.database));
      if (dropped.length > 0)
        this.logger.log(`Older than their retention, and dropped: ${dropped.join(', ')}`);
    });
    await this.attempt('listed', () => this.warn());
  }

  /** Says so when the month after the next has no partition: for two months none could be made. */
  private async warn(): Promise<void> {
    const end = await this.maker.end();
    if (end === null || end >= monthStart(await readClock(this.database), 2)) return;
    this.logger.warn(
      `The assignment log has no partition of its own for entries from ${new Date(timeOfId(end)).toISOString()} on: ` +
        'a dump, a migration or another program holds the table whenever one is to be made',
    );
  }

  private async attempt(what: string, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      // The database says itself that it is away.
      const isAway = isUnavailable(error) && !isLockTimeout(error);
      const reason = error instanceof Error ? error.message : String(error);
      if (!isAway) this.logger.error(`Partitions of the assignment log could not be ${what}: ${reason}`);
    }
  }
}
