import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { RepeatedWork, unlessAway } from '../../database/index.js';
import { CounterNeeds } from './counter-needs.js';
import { RecordCountsRepository } from './record-counts.repository.js';

/** Milliseconds between two looks at what waits. */
const INTERVAL = 1_000;

/**
 * Folds the changes of records into their counts, so that a request reads few of them, and makes the counters
 * ready that configurations need. Counts are exact at any time, whether this runs or not. Several processes
 * may run it.
 */
@Injectable()
export class CountJob implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(CountJob.name);
  private readonly folding = this.repeated(() => this.fold());
  private readonly counting = this.repeated(() => this.makeReady());

  constructor(
    private readonly counts: RecordCountsRepository,
    private readonly needs: CounterNeeds,
  ) {}

  onApplicationBootstrap(): void {
    this.folding.start('counts');
    this.counting.start('counters');
  }

  async onModuleDestroy(): Promise<void> {
    await Promise.all([this.folding.stop(), this.counting.stop()]);
  }

  /** Folds what waits. @throws what the database throws */
  async fold(): Promise<void> {
    while ((await this.counts.fold()) && !this.folding.isStopped());
  }

  /** Keeps the counters that were asked for, and makes new ones ready. @throws what the database throws */
  async makeReady(): Promise<void> {
    const failures: unknown[] = [];
    // The failure of one account or type does not keep others from being counted.
    for (const needed of this.needs.open()) {
      const keeping = this.counts.keep(needed).then(() => this.needs.done(needed));
      await keeping.catch((error: unknown) => failures.push(error));
    }
    for (const type of await this.counts.findNew()) {
      const seeding = this.counts.seed(type, () => this.counting.isStopped());
      await seeding.catch((error: unknown) => failures.push(error));
    }
    if (failures.length > 0) throw failures[0] as Error;
  }

  private repeated(work: () => Promise<void>): RepeatedWork {
    return new RepeatedWork(INTERVAL, unlessAway(work), (reason) =>
      this.logger.error(`Records could not be counted: ${reason}`),
    );
  }
}
