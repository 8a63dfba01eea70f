import {
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
} from '@nestjs/common';
import { setTimeout as delay } from 'node:timers/promises';
import { AccountsRepository, ALL_ACCOUNTS } from '../accounts/index.js';
import { Database, firstIdAt, RepeatedWork, unlessAway, type Statement } from '../database/index.js';
import { SETTINGS, type Settings } from '../settings/settings.js';
import { DAY_KEY, entriesByDay } from './assignments.sql.js';

/** A table of the log that has a retention. */
export type LogTable = 'assignments' | 'assignment_traces';

/** $1 the first id that is kept. Finds the accounts that have older rows, each by a look into an index. */
export const findOld = (table: LogTable): Statement => ({
  name: `log_sweep_find_${table}`,
  text: `SELECT account.id FROM (${ALL_ACCOUNTS}) account
    WHERE (SELECT old.id FROM ${table} old WHERE old.account_id = account.id ORDER BY old.id LIMIT 1) < $1::uuid`,
});

/** The oldest rows `a` of the account $1 before the id $2, at most $3, that nobody else changes. */
const oldest = (table: LogTable, more = ''): string =>
  `SELECT a.id FROM ${table} a WHERE a.account_id = $1 AND a.id < $2::uuid${more}
      ORDER BY a.id LIMIT $3 FOR UPDATE SKIP LOCKED`;

const remove = (table: LogTable): string =>
  `DELETE FROM ${table} a WHERE a.account_id = $1 AND a.id = ANY (ARRAY(SELECT old.id FROM old))`;

const keyIn = (table: string): string => DAY_KEY.replace(/\w+/g, `${table}.$&`);

/** The row of `assignment_days` that has the count `c`. */
const SAME = `d.account_id = $1 AND (${keyIn('d')}) = (${keyIn('c')})`;

/** An entry whose turn is owed stays until it has been owed for as long: since $4, the first instant kept. */
const IS_SETTLED = ' AND NOT (a.turn_owed AND a.returned_at >= $4::timestamptz)';

/**
 * $1 account, $2 the first id that is kept, $3 most rows. Deletes the oldest rows before it, and returns how
 * many. Entries go with their traces and lower the counts of their days.
 */
export const DELETE_OLDEST: Readonly<Record<LogTable, Statement>> = {
  assignment_traces: {
    name: 'log_sweep_traces',
    text: `WITH old AS MATERIALIZED (${oldest('assignment_traces')}),
        gone AS (${remove('assignment_traces')} RETURNING 1)
      SELECT count(*)::int AS count FROM gone`,
  },
  // No count is both lowered and ended.
  assignments: {
    name: 'log_sweep_entries',
    text: `WITH old AS MATERIALIZED (${oldest('assignments', IS_SETTLED)}),
        traces AS (${remove('assignment_traces')}),
        gone AS (${remove('assignments')} RETURNING a.*),
        counted AS MATERIALIZED (${entriesByDay('gone a')}),
        lowered AS (UPDATE assignment_days d SET entries = d.entries - c.entries FROM counted c
          WHERE ${SAME} AND d.entries > c.entries),
        ended AS (DELETE FROM assignment_days d USING counted c WHERE ${SAME} AND d.entries <= c.entries)
      SELECT count(*)::int AS count FROM gone`,
  },
};

const DAY = 86_400_000;
const HOUR = 3_600_000;

/** Most rows that one transaction deletes: dispatches of the account wait for it, some 50 ms. */
const MOST_AT_ONCE = 1_000;

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
