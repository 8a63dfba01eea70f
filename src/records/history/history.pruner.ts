import {
  Inject,
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { Database } from '../../database/index.js';
import type { Settings } from '../../settings/settings.js';
import { SETTINGS } from '../../settings/settings.token.js';
import { RecordHistoryRepository } from './record-history.repository.js';
import { retentionStart } from './retention-start.js';

const HOUR = 3_600_000;

/** Most changes deleted by one statement, so that it does not lock many rows for long. */
const MOST_AT_ONCE = 1_000;

/**
 * Deletes changes older than HISTORY_RETENTION_DAYS, at the start and once an hour. Several processes may do
 * so at once.
 */
@Injectable()
export class HistoryPruner implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(HistoryPruner.name);
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> = Promise.resolve();
  private isStopped = false;

  constructor(
    private readonly database: Database,
    private readonly history: RecordHistoryRepository,
    @Inject(SETTINGS) private readonly settings: Pick<Settings, 'HISTORY_RETENTION_DAYS'>,
  ) {}

  onApplicationBootstrap(): void {
    if (this.settings.HISTORY_RETENTION_DAYS === undefined) return;
    const prune = (): void => {
      this.running = this.running.then(() => this.pruneOrLog());
    };
    this.timer = setInterval(prune, HOUR);
    this.timer.unref();
    prune();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.isStopped = true;
    clearInterval(this.timer);
    await this.running;
  }

  /** Deletes the changes that are older than the retention at that instant. @returns how many */
  async prune(now: Date): Promise<number> {
    const before = retentionStart(this.settings, now.getTime());
    if (before === undefined) return 0;
    let dropped = 0;
    for (;;) {
      const some = await this.history.drop(this.database, before, MOST_AT_ONCE);
      dropped += some;
      if (some < MOST_AT_ONCE || this.isStopped) return dropped;
    }
  }

  private async pruneOrLog(): Promise<void> {
    if (this.isStopped) return;
    try {
      await this.prune(new Date());
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.logger.error(`The history of records could not be pruned: ${reason}`);
    }
  }
}
