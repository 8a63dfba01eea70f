import { LOG_MONTHS_LOCK, MIGRATION_LOCK, type Statement } from '../../database/index.js';
import type { Month } from './month.js';

/** The tables that are divided by months: the log, and the traces of its entries. */
export const LOG_TABLES = ['assignments', 'assignment_traces'] as const;
export type LogTable = (typeof LOG_TABLES)[number];

/** Returns the partition without an end. It is empty where months were made in time, and clocks are right. */
export const laterOf = (table: LogTable): string => `${table}_later`;

/** The rule under which entries of the last partition are read before it gets an end. */
const RULE = 'later_end';

const statement = (name: string, text: string): Statement => ({ name: `months_${name}`, text });

/** Takes the locks under which partitions are changed, unless others have them: see LOCK_MONTHS. */
export const TRY_LOCK_MONTHS = statement(
  'try_lock',
  `SELECT pg_try_advisory_xact_lock(${MIGRATION_LOCK}) AND pg_try_advisory_xact_lock(${LOG_MONTHS_LOCK}) AS locked`,
);

/**
 * Takes the lock of migrations, unless a dump, a migration or another process has it, and then that of the
 * log, which folds hold for a moment.
 */
export const LOCK_MONTHS = statement(
  'lock',
  `SELECT locked, CASE WHEN locked THEN pg_advisory_xact_lock(${LOG_MONTHS_LOCK}) END
    FROM (SELECT pg_try_advisory_xact_lock(${MIGRATION_LOCK}) AS locked OFFSET 0) AS migration`,
);

/** Statements of the transaction that wait for a lock longer than this fail. Others wait behind them. */
export const WAIT_BRIEFLY = statement('wait_briefly', `SELECT set_config('lock_timeout', '300ms', true)`);

export const READ_CLOCK = statement('read_clock', 'SELECT clock_timestamp() AS at');

/** The statements on the partitions of a table. Names of months and their ids come from `monthFrom`. */
export const partitionsOf = (table: LogTable) => {
  const later = laterOf(table);
  const of = (name: string, text: string): Statement => statement(`${name}_of_${table}`, text);
  const alter = (name: string, change: string): Statement => of(name, `ALTER TABLE ${table} ${change}`);
  return {
    /** Keeps everybody from the table until the transaction ends. Autovacuum of a partition goes on. */
    lockWhole: of('lock_whole', `LOCK TABLE ONLY ${table} IN ACCESS EXCLUSIVE MODE`),
    /** Returns the partitions in order, with their first ids and the first ids behind them. */
    list: of(
      'list',
      `SELECT name, substring(bounds FROM $$FROM \\('([0-9a-f-]+)'\\)$$)::uuid AS "from",
          substring(bounds FROM $$TO \\('([0-9a-f-]+)'\\)$$)::uuid AS "to"
        FROM (SELECT c.relname::text AS name, pg_get_expr(c.relpartbound, c.oid) AS bounds
          FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
          WHERE i.inhparent = '${table}'::regclass) AS partition
        ORDER BY 2 NULLS FIRST`,
    ),
    /** Returns the least and the greatest id of the last partition; null where it is empty. */
    readLater: of(
      'read_later',
      `SELECT (SELECT id FROM ${later} ORDER BY id LIMIT 1) AS least,
        (SELECT id FROM ${later} ORDER BY id DESC LIMIT 1) AS greatest`,
    ),
    detachLater: alter('detach_later', `DETACH PARTITION ${later}`),
    attachLater: ({ name, to }: Month): Statement =>
      alter(`behind_${name}`, `ATTACH PARTITION ${later} FOR VALUES FROM ('${to}') TO (MAXVALUE)`),
    create: ({ name, from, to }: Month): Statement =>
      of(
        `create_${name}`,
        `CREATE TABLE ${table}_${name} PARTITION OF ${table} FOR VALUES FROM ('${from}') TO ('${to}')`,
      ),
    hasEntries: (partition: string): Statement =>
      statement(`has_${partition}`, `SELECT EXISTS (SELECT FROM "${partition}") AS filled`),
    drop: (partition: string): Statement => statement(`drop_${partition}`, `DROP TABLE "${partition}"`),
    /** The partition of all that comes before an id. */
    createFirst: (to: string): Statement =>
      of(
        `first_${to.slice(0, 13)}`,
        `CREATE TABLE ${table}_first PARTITION OF ${table} FOR VALUES FROM (MINVALUE) TO ('${to}')`,
      ),
    /** Refuses entries of the last partition that are not of the month, until it has an end. */
    addRule: ({ name, from, to }: Month): Statement =>
      of(
        `rule_${name}`,
        `ALTER TABLE ${later} ADD CONSTRAINT ${RULE} CHECK (id >= '${from}' AND id < '${to}') NOT VALID`,
      ),
    /** Reads the last partition, beside others that use it. */
    validateRule: of('validate', `ALTER TABLE ${later} VALIDATE CONSTRAINT ${RULE}`),
    dropRule: of('drop_rule', `ALTER TABLE ${later} DROP CONSTRAINT IF EXISTS ${RULE}`),
    /** Gives the last partition an end, and the table a new one behind it. */
    endLater: ({ name, from, to }: Month): Statement[] => [
      alter('detach_later', `DETACH PARTITION ${later}`),
      of(`end_${name}`, `ALTER TABLE ${later} RENAME TO ${table}_${name}`),
      alter(`attach_${name}`, `ATTACH PARTITION ${table}_${name} FOR VALUES FROM ('${from}') TO ('${to}')`),
      of(`free_${name}`, `ALTER TABLE ${table}_${name} DROP CONSTRAINT ${RULE}`),
      of(
        `new_${name}`,
        `CREATE TABLE ${later} PARTITION OF ${table} FOR VALUES FROM ('${to}') TO (MAXVALUE)`,
      ),
    ],
  };
};
