import {
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
} from '@nestjs/common';
import { setTimeout as delay } from 'node:timers/promises';
import { AccountsRepository } from '../accounts/index.js';
import { Database, firstIdAt, RepeatedWork, unlessAway } from '../database/index.js';
import { SETTINGS, type Settings } from '../settings/settings.js';
import { DELETE_OLDEST, findOld, type LogTable } from './log-sweep.statements.js';

const DAY = 86_400_000;
const HOUR = 3_600_000;

/** Most rows that one transaction deletes: dispatches of the account wait for it, some 50 ms. */
const MOST_AT_ONCE = 1_000;

/** How many rows of each table were deleted. */
export type Swept = Readonly<Record<LogTable, number>>;

/**
 * Deletes the entries of the log and the traces that are older than their retention, at the start and once an
 * hour. Several processes may do so at once. Between two slices each pauses for as long as the first took.
 */
@Injectable()
export class LogSweep implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(LogSweep.name);
  private readonly sweeping = new RepeatedWork(
    HOUR,
    unlessAway(() => this.sweep(new Date())),
    (reason) => this.logger.error(`Old entries of the assignment log could not be deleted: ${reason}`),
  );

  constructor(
    private readonly database: Database,
    private readonly accounts: AccountsRepository,
    @Inject(SETTINGS)
    private readonly settings: Pick<Settings, 'ASSIGNMENT_RETENTION_DAYS' | 'TRACE_RETENTION_DAYS'>,
  ) {}

  onApplicationBootstrap(): void {
    const { ASSIGNMENT_RETENTION_DAYS: entries, TRACE_RETENTION_DAYS: traces } = this.settings;
    if (entries !== undefined || traces !== undefined) this.sweeping.start();
  }

  onModuleDestroy(): Promise<void> {
    return this.sweeping.stop();
  }

  /** Deletes what is older than its retention at that instant. */
  async sweep(now: Date): Promise<Swept> {
    const { ASSIGNMENT_RETENTION_DAYS: entries, TRACE_RETENTION_DAYS: traces } = this.settings;
    return {
      assignment_traces: await this.sweepTable('assignment_traces', traces, now),
      assignments: await this.sweepTable('assignments', entries, now),
    };
  }

  private async sweepTable(table: LogTable, days: number | undefined, now: Date): Promise<number> {
    if (days === undefined) return 0;
    const before = new Date(now.getTime() - days * DAY);
    const accounts = await this.database.query<{ id: string }>(findOld(table), [firstIdAt(before)]);
    let deleted = 0;
    const failures: unknown[] = [];
    for (const { id } of accounts) {
      try {
        for (let some = MOST_AT_ONCE; some === MOST_AT_ONCE && !this.sweeping.isStopped();) {
          const started = performance.now();
          some = await this.deleteOldest(table, id, before);
          deleted += some;
          if (some > 0) await delay(performance.now() - started);
        }
      } catch (error) {
        // The others go on. The account comes again with the next sweep.
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
    if (deleted > 0) this.logger.log(`Deleted ${deleted} old rows of ${table}`);
    return deleted;
  }

  private deleteOldest(table: LogTable, accountId: string, before: Date): Promise<number> {
    return this.database.transaction(
      async (tx) => {
        // The counts of all days are those that dispatches raise.
        if (table === 'assignments') await this.accounts.lock(tx, { accountId });
        const since = table === 'assignments' ? [before] : [];
        const values = [accountId, firstIdAt(before), MOST_AT_ONCE, ...since];
        const [row] = await tx.query<{ count: number }>(DELETE_OLDEST[table], values);
        return row?.count ?? 0;
      },
      { long: true },
    );
  }
}
