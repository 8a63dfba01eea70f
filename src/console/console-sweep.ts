import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { ConsoleSite, PeopleRepository } from '../auth/index.js';
import { Database, RepeatedWork, unlessAway } from '../database/index.js';

const HOUR = 3_600_000;

/** Deletes what is over, at the start and once an hour. Several processes may do so at once. */
@Injectable()
export class ConsoleSweep implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(ConsoleSweep.name);
  private readonly sweeping = new RepeatedWork(
    HOUR,
    unlessAway(() => this.sweep()),
    (reason) => this.logger.error(`Old sessions of the console could not be deleted: ${reason}`),
  );

  constructor(
    private readonly database: Database,
    private readonly people: PeopleRepository,
    private readonly site: ConsoleSite,
  ) {}

  onApplicationBootstrap(): void {
    if (this.site.isOn) this.sweeping.start('console_sweep');
  }

  onModuleDestroy(): Promise<void> {
    return this.sweeping.stop();
  }

  /** Deletes links and sessions that are over. */
  async sweep(): Promise<void> {
    await this.sweeping.inSlices((most) => this.people.dropEnded(this.database, most));
  }
}
