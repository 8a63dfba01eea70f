import { randomUUID } from 'node:crypto';
import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Database, lagsOfWork, RepeatedWork, unlessAway } from '../database/index.js';
import { fairleadVersion } from '../settings/package.js';
import { ProcessesRepository } from './processes.repository.js';

/** Milliseconds between two signs of life. */
const BEAT_MS = 20_000;

/** Says that this process runs, and tells what all of them are. */
@Injectable()
export class StatusService implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(StatusService.name);
  private readonly id = randomUUID();
  private readonly release = fairleadVersion();
  private isKnown = false;
  private readonly beating = new RepeatedWork(
    BEAT_MS,
    unlessAway(() => this.beat()),
    (reason) => this.logger.error(`Other processes do not see this one: ${reason}`),
  );

  constructor(
    private readonly database: Database,
    private readonly processes: ProcessesRepository,
  ) {}

  onApplicationBootstrap(): void {
    this.beating.start('heartbeat');
  }

  async onModuleDestroy(): Promise<void> {
    await this.beating.stop();
    // One that cannot say so is forgotten in a minute.
    if (this.isKnown) await this.processes.leave(this.database, this.id).catch(() => undefined);
  }

  /** Returns how the service is (contract section 6). @throws 503 when the database does not answer */
  async read() {
    const { database, release } = this;
    const { database: version, applied, processes } = await this.processes.read(database, this.id);
    const known = new Set(applied);
    const { open, idle, waiting } = database.use;
    return {
      release,
      schema: {
        version: applied.at(-1) ?? null,
        pending: database.migrations.filter((name) => !known.has(name)).length,
      },
      database: { version },
      processes: processes.map(({ started, seen, ...each }) => ({
        ...each,
        started_at: new Date(started).toISOString(),
        seen_at: new Date(seen).toISOString(),
      })),
      pool: { size: database.connections, busy: open - idle, waiting },
      lags: lagsOfWork(),
    };
  }

  private async beat(): Promise<void> {
    this.isKnown = false;
    const { id, release } = this;
    await this.processes.beat(this.database, { id, release });
    this.isKnown = true;
  }
}
