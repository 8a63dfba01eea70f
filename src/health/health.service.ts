import { Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import { DatabaseProbe } from '../database/index.js';
import { unavailable } from '../errors/errors.js';

/** Knows whether this process can serve requests. */
@Injectable()
export class HealthService implements BeforeApplicationShutdown {
  private shuttingDown = false;

  constructor(private readonly database: DatabaseProbe) {}

  /** From now on the process is not ready, though it serves. */
  announceEnd(): void {
    this.shuttingDown = true;
  }

  beforeApplicationShutdown(): void {
    this.announceEnd();
  }

  /** @throws 503 when the database does not answer or the process is shutting down */
  async assertReady(): Promise<void> {
    if (this.shuttingDown) throw unavailable('The service is shutting down');
    await this.database.check();
  }
}
