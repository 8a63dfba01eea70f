import { Injectable } from '@nestjs/common';
import { ConsoleSite, PeopleRepository } from '../auth/index.js';
import { Background, Database } from '../database/index.js';

const HOUR = 3_600_000;

/** Deletes what is over, at the start and once an hour. Several processes may do so at once. */
@Injectable()
export class ConsoleSweep {
  constructor(
    private readonly database: Database,
    private readonly people: PeopleRepository,
    private readonly background: Background,
    site: ConsoleSite,
  ) {
    if (!site.isOn) return;
    const failure = 'Old sessions of the console could not be deleted';
    background.repeat({ name: 'console_sweep', every: HOUR, failure, run: () => this.sweep() });
  }

  /** Deletes links and sessions that are over. */
  async sweep(): Promise<void> {
    await this.background.inSlices((most) => this.people.dropEnded(this.database, most));
  }
}
