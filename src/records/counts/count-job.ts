import { Injectable } from '@nestjs/common';
import { Background } from '../../database/index.js';
import { CounterNeeds } from './counter-needs.js';
import { RecordCountsRepository } from './record-counts.repository.js';

/** Milliseconds between two looks at what waits. */
const INTERVAL_MS = 1_000;

/**
 * Folds the changes of records into their counts, so that a request reads few of them, and makes the counters
 * ready that configurations need. Counts are exact at any time, whether this runs or not. Several processes
 * may run it.
 */
@Injectable()
export class CountJob {
  constructor(
    private readonly counts: RecordCountsRepository,
    private readonly needs: CounterNeeds,
    private readonly background: Background,
  ) {
    const how = { every: INTERVAL_MS, failure: 'Records could not be counted' };
    background.repeat({ ...how, name: 'counts', run: () => this.fold() });
    background.repeat({ ...how, name: 'counters', run: () => this.makeReady() });
  }

  /** Folds what waits. @throws what the database throws */
  async fold(): Promise<void> {
    while ((await this.counts.fold()) && !this.background.isStopped());
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
      const seeding = this.counts.seed(type, () => this.background.isStopped());
      await seeding.catch((error: unknown) => failures.push(error));
    }
    if (failures.length > 0) throw failures[0] as Error;
  }
}
