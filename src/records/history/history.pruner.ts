import { Inject, Injectable } from '@nestjs/common';
import { Background, Database } from '../../database/index.js';
import { SETTINGS, type Settings } from '../../settings/settings.js';
import { RecordHistoryRepository } from './record-history.repository.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** Deletes changes older than HISTORY_RETENTION_DAYS, hourly. Several processes may do so at once. */
@Injectable()
export class HistoryPruner {
  constructor(
    private readonly database: Database,
    private readonly history: RecordHistoryRepository,
    @Inject(SETTINGS) private readonly settings: Pick<Settings, 'HISTORY_RETENTION_DAYS'>,
    private readonly background: Background,
  ) {
    if (settings.HISTORY_RETENTION_DAYS === undefined) return;
    const failure = 'The history of records could not be pruned';
    background.repeat({ name: 'history_sweep', every: HOUR, failure, run: () => this.prune(new Date()) });
  }

  /** Deletes the changes that are older than the retention at that instant. @returns how many */
  async prune(now: Date): Promise<number> {
    const before = retentionStart(this.settings, now.getTime());
    if (before === undefined) return 0;
    return this.background.inSlices((most) => this.history.drop(this.database, before, most));
  }
}

/** Returns the instant before which changes are not kept; undefined where all are. @param now milliseconds */
export function retentionStart(
  { HISTORY_RETENTION_DAYS: days }: Pick<Settings, 'HISTORY_RETENTION_DAYS'>,
  now: number,
): Date | undefined {
  return days === undefined ? undefined : new Date(now - days * DAY);
}
