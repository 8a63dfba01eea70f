import {
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
} from '@nestjs/common';
import { Database, RepeatedWork } from '../../database/index.js';
import { SETTINGS, type Settings } from '../../settings/settings.js';
import { RecordHistoryRepository } from './record-history.repository.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** Deletes changes older than HISTORY_RETENTION_DAYS, hourly. Several processes may do so at once. */
@Injectable()
export class HistoryPruner implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(HistoryPruner.name);
  private readonly pruning = new RepeatedWork(
    HOUR,
    () => this.prune(new Date()),
    (reason) => this.logger.error(`The history of records could not be pruned: ${reason}`),
  );

  constructor(
    private readonly database: Database,
    private readonly history: RecordHistoryRepository,
    @Inject(SETTINGS) private readonly settings: Pick<Settings, 'HISTORY_RETENTION_DAYS'>,
  ) {}

  onApplicationBootstrap(): void {
    if (this.settings.HISTORY_RETENTION_DAYS === undefined) return;
    this.pruning.start('history_sweep');
  }

  onModuleDestroy(): Promise<void> {
    return this.pruning.stop();
  }

  /** Deletes the changes that are older than the retention at that instant. @returns how many */
  async prune(now: Date): Promise<number> {
    const before = retentionStart(this.settings, now.getTime());
    if (before === undefined) return 0;
    return this.pruning.inSlices((most) => this.history.drop(this.database, before, most));
  }
}

/** Returns the instant before which changes are not kept; undefined where all are. @param now milliseconds */
export function retentionStart(
  { HISTORY_RETENTION_DAYS: days }: Pick<Settings, 'HISTORY_RETENTION_DAYS'>,
  now: number,
): Date | undefined {
  return days === undefined ? undefined : new Date(now - days * DAY);
}
