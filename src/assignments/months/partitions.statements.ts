import { LOG_MONTHS_LOCK, MIGRATION_LOCK, type Statement } from '../../database/index.js';
import type { Month } from './month.js';

/** The partition that has no end. It is empty where months were made in time, and clocks are right. */
export const LATER = 'assignments_later';

/** The rule under which entries of the last partition are read before it gets an end. */
const RULE = 'assignments_later_end';

const statement = (name: string, text: string): Statement => ({ name: `assignment_${name}`, text });

/**
 * Takes the locks under which partitions are changed, unless others have them. A dump and a migration hold
 * the first, folds the second.
 */
export const TRY_LOCK_MONTHS = statement(
  'try_lock_months',
  `SELECT pg_try_advisory_xact_lock(${MIGRATION_LOCK}) AND pg_try_advisory_xact_lock(${LOG_MONTHS_LOCK}) AS locked`,
);

/** As TRY_LOCK_MONTHS, and waits for the folds that are under way. */
export const LOCK_MONTHS = statement(
  'lock_months',
  `SELECT locked, CASE WHEN locked THEN pg_advisory_xact_lock(${LOG_MONTHS_LOCK}) END
    FROM (SELECT pg_try_advisory_xact_lock(${MIGRATION_LOCK}) AS locked OFFSET 0) AS migration`,
);

/** Statements of the transaction that wait for a lock longer than this fail. Others wait behind them. */
export const WAIT_BRIEFLY = statement('wait_briefly', `SELECT set_config('lock_timeout', '300ms', true)`);

/** Keeps everybody from the log until the transaction ends. */
export const LOCK_WHOLE_LOG = statement('lock_whole', 'LOCK TABLE assignments IN ACCESS EXCLUSIVE MODE');

/** Returns the partitions in order, with their first ids and the first ids behind them. */
export const LIST_PARTITIONS = statement(
  'list_partitions',
  `SELECT name, substring(bounds FROM $$FROM \\('([0-9a-f-]+)'\\)$$)::uuid AS "from",
      substring(bounds FROM $$TO \\('([0-9a-f-]+)'\\)$$)::uuid AS "to"
    FROM (SELECT c.relname::text AS name, pg_get_expr(c.relpartbound, c.oid) AS bounds
      FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
      WHERE i.inhparent = 'assignments'::regclass AND NOT i.inhdetachpending) AS partition
    ORDER BY 2 NULLS FIRST`,
);

/** Returns the least and the greatest id of the last partition; null where it is empty. */
export const READ_LATER = statement(
  'read_later',
  `SELECT (SELECT id FROM ${LATER} ORDER BY id LIMIT 1) AS least,
    (SELECT id FROM ${LATER} ORDER BY id DESC LIMIT 1) AS greatest`,
);

export const DETACH_LATER = statement('detach_later', `ALTER TABLE assignments DETACH PARTITION ${LATER}`);

/** Names come from `monthFrom`, ids from boundaries. */
export const createPartition = ({ name, from, to }: Month): Statement =>
  statement(
    `create_${name}`,
    `CREATE TABLE ${name} PARTITION OF assignments FOR VALUES FROM ('${from}') TO ('${to}')`,
  );

export const attachLater = (from: string): Statement =>
  statement(
    `attach_later_${from}`,
    `ALTER TABLE assignments ATTACH PARTITION ${LATER} FOR VALUES FROM ('${from}') TO (MAXVALUE)`,
  );

export const dropPartition = (name: string): Statement => statement(`drop_${name}`, `DROP TABLE "${name}"`);

/** The statements that give the last partition an end, and the log a new one behind it. */
export const endLater = {
  /** Refuses entries from the end on, until `closed` has run. */
  rule: ({ from, to }: Month): Statement =>
    statement(
      `end_later_rule_${to}`,
      `ALTER TABLE ${LATER} ADD CONSTRAINT ${RULE} CHECK (id >= '${from}' AND id < '${to}') NOT VALID`,
    ),
  /** Reads the partition, beside others that use it. */
  validate: statement('end_later_validate', `ALTER TABLE ${LATER} VALIDATE CONSTRAINT ${RULE}`),
  noRule: statement('end_later_no_rule', `ALTER TABLE IF EXISTS ${LATER} DROP CONSTRAINT IF EXISTS ${RULE}`),
  closed: ({ name, from, to }: Month): Statement[] => [
    DETACH_LATER,
    statement(`end_later_rename_${name}`, `ALTER TABLE ${LATER} RENAME TO ${name}`),
    statement(
      `end_later_attach_${name}`,
      `ALTER TABLE assignments ATTACH PARTITION ${name} FOR VALUES FROM ('${from}') TO ('${to}')`,
    ),
    statement(`end_later_free_${name}`, `ALTER TABLE ${name} DROP CONSTRAINT ${RULE}`),
    statement(
      `end_later_new_${to}`,
      `CREATE TABLE ${LATER} PARTITION OF assignments FOR VALUES FROM ('${to}') TO (MAXVALUE)`,
    ),
  ],
};
