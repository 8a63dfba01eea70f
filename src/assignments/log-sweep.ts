import { Inject, Injectable, Logger } from '@nestjs/common';
import { AccountsRepository, deleteOldRows, type OldestRows } from '../accounts/index.js';
import { Background, Database, type Statement, type Transaction } from '../database/index.js';
import { SETTINGS, type Settings } from '../settings/settings.js';
import { DAY_KEY, entriesByDay } from './assignments.sql.js';

/** A table of the log that has a retention. */
export type LogTable = 'assignments' | 'assignment_traces';

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

const HOUR = 3_600_000;

/** How many rows of each table were deleted. */
export type Swept = Readonly<Record<LogTable, number>>;

/**
 * Deletes the entries of the log and the traces that are older than their retention, at the start and once an
 * hour. Several processes may do so at once. Dispatches of an account wait for a slice, some 50 ms.
 */
@Injectable()
export class LogSweep {
  private readonly logger = new Logger(LogSweep.name);

  constructor(
    private readonly database: Database,
    private readonly accounts: AccountsRepository,
    @Inject(SETTINGS)
    private readonly settings: Pick<Settings, 'ASSIGNMENT_RETENTION_DAYS' | 'TRACE_RETENTION_DAYS'>,
    private readonly background: Background,
  ) {
    const { ASSIGNMENT_RETENTION_DAYS: entries, TRACE_RETENTION_DAYS: traces } = settings;
    if (entries === undefined && traces === undefined) return;
    const failure = 'Old entries of the assignment log could not be deleted';
    background.repeat({ name: 'log_sweep', every: HOUR, failure, run: () => this.sweep(new Date()) });
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
    const deleteOldest = async (tx: Transaction, rows: OldestRows): Promise<number> => {
      const { accountId, before, firstKept, most } = rows;
      // The counts of all days are those that dispatches raise.
      if (table === 'assignments') await this.accounts.lock(tx, { accountId });
      const values = [accountId, firstKept, most, ...(table === 'assignments' ? [before] : [])];
      const [row] = await tx.query<{ count: number }>(DELETE_OLDEST[table], values);
      return row?.count ?? 0;
    };
    const deleted = await deleteOldRows(this.database, this.background, { table, days, now, deleteOldest });
    if (deleted > 0) this.logger.log(`Deleted ${deleted} old rows of ${table}`);
    return deleted;
  }
}
