import { LOG_MONTHS_LOCK, logLock, type Statement } from '../../database/index.js';
import {
  ANY_ROUTER,
  ANY_USER,
  foldedEntries,
  lastFolded,
  millisecondsIn,
  millisecondsOf,
} from './series.sql.js';

/**
 * Numbers of entries. Those of blocks must never change, because `before` of later blocks follows from them.
 */
export interface FoldSizes {
  /** In one fold. */
  readonly batch: number;
  /** In a full block of a series of one user, of which limits read parts. */
  readonly user: number;
  /** In a full block of any other series. */
  readonly others: number;
}

export const FOLD_SIZES: FoldSizes = { batch: 2_000, user: 32, others: 1_000 };

/**
 * Milliseconds by which the clock of the database may be set back without harm. Where it is set back further,
 * entries can get ids before those that are in blocks, and are not counted until `fairlead check` has run.
 */
export const DISTANCE = 5_000;

/**
 * $1 accounts, $2 the id before which entries are folded, $3 the id before which they are overdue, $4 entries
 * in a batch. Returns the accounts that have a whole batch, or an entry that is overdue.
 */
export const FIND_DUE: Statement = {
  name: 'assignment_find_due',
  text: `SELECT account.id FROM unnest($1::uuid[]) AS account (id)
    CROSS JOIN LATERAL (SELECT ${lastFolded('account.id')} AS last_id OFFSET 0) AS fold
    WHERE (SELECT a.id FROM assignments a
        WHERE a.account_id = account.id AND a.id > fold.last_id AND a.id < $2::uuid
        ORDER BY a.id LIMIT 1) < $3::uuid
      OR (SELECT a.id FROM assignments a
        WHERE a.account_id = account.id AND a.id > fold.last_id AND a.id < $2::uuid
        ORDER BY a.id OFFSET $4::int - 1 LIMIT 1) IS NOT NULL`,
};

/** Takes the lock of the log, unless another transaction has it or drops entries. $1 account. */
export const TRY_LOCK_LOG: Statement = {
  name: 'assignment_try_lock_log',
  text: `SELECT pg_try_advisory_xact_lock_shared(${LOG_MONTHS_LOCK})
    AND pg_try_advisory_xact_lock(${logLock('$1')}) AS locked`,
};

/** $1 account. Waits for the lock of the log. */
export const LOCK_LOG: Statement = {
  name: 'assignment_lock_log',
  text: `SELECT pg_advisory_xact_lock_shared(${LOG_MONTHS_LOCK}), pg_advisory_xact_lock(${logLock('$1')})`,
};

/** $1 account. Takes all entries out of the blocks, so that all are in the tail. */
export const FORGET_BLOCKS: Statement = {
  name: 'assignment_forget_blocks',
  text: `WITH fold AS (DELETE FROM assignment_folds WHERE account_id = $1),
      base AS (DELETE FROM assignment_bases WHERE account_id = $1)
    DELETE FROM assignment_blocks WHERE account_id = $1`,
};

/** The series of one kind, with the ids that a batch adds to each, in order. */
const kind = (router: string, user: string, size: number): string =>
  `SELECT ${router} AS router_id, ${user} AS user_email, ${size} AS size, array_agg(entry.id) AS ids
      FROM (SELECT * FROM batch ORDER BY id) AS entry
      ${user === ANY_USER ? '' : 'WHERE entry.user_email IS NOT NULL'} GROUP BY 1, 2`;

const ADDED = { account: '$1', router: 'added.router_id', user: 'added.user_email' };

/** By the number of a block in its series `s`: the first of the ids, counted from 0, that is in it. */
const start = (n: string): string => `greatest((${n}) * s.size - s.folded, 0)`;

/**
 * $1 account, $2 the id before which entries are folded, $3 the id before which they are overdue. Adds the
 * next batch of the log to the blocks, if it is a whole one or begins with an entry that is overdue, and
 * returns the id of its last entry. Every block begins at a multiple of its size.
 * The transaction must hold the lock of the log, and have taken it in an earlier statement.
 */
export const foldStatement = ({ batch, user, others }: FoldSizes): Statement => ({
  name: `assignment_fold_${batch}_${user}_${others}`,
  text: `WITH batch AS MATERIALIZED (
      SELECT a.id, a.router_id, a.user_email, a.created_at FROM assignments a
      WHERE a.account_id = $1 AND a.id > ${lastFolded('$1')} AND a.id < $2 ORDER BY a.id LIMIT ${batch}
    ), fold AS MATERIALIZED (
      SELECT (SELECT id FROM batch ORDER BY id DESC LIMIT 1) AS last_id, greatest(max(late_ms), 0) AS late_ms, greatest(-min(late_ms), 0) AS early_ms
      FROM (SELECT id, ${millisecondsIn('id')} - ${millisecondsOf('created_at')} AS late_ms FROM batch) AS entry
      HAVING count(*) = ${batch} OR bool_or(id < $3::uuid)
    ), series AS MATERIALIZED (
      SELECT added.*, ${foldedEntries(ADDED)} AS folded
      FROM (${kind(ANY_ROUTER, ANY_USER, others)}
        UNION ALL ${kind('entry.router_id', ANY_USER, others)}
        UNION ALL ${kind(ANY_ROUTER, 'entry.user_email', user)}
        UNION ALL ${kind('entry.router_id', 'entry.user_email', user)}) AS added
      WHERE EXISTS (SELECT FROM fold)
    ), block AS (
      INSERT INTO assignment_blocks AS b (account_id, router_id, user_email, before, first_id, entries)
      SELECT $1, s.router_id, s.user_email, n * s.size, s.ids[${start('n')} + 1],
        least(${start('n + 1')}, cardinality(s.ids)) - ${start('n')}
      FROM series s
      CROSS JOIN LATERAL generate_series(s.folded / s.size, (s.folded + cardinality(s.ids) - 1) / s.size) AS n
      ON CONFLICT (account_id, router_id, user_email, before) DO UPDATE SET entries = b.entries + excluded.entries
    )
    INSERT INTO assignment_folds AS f (account_id, last_id, late_ms, early_ms)
    SELECT $1, last_id, late_ms, early_ms FROM fold
    ON CONFLICT (account_id) DO UPDATE SET last_id = excluded.last_id,
      late_ms = greatest(f.late_ms, excluded.late_ms), early_ms = greatest(f.early_ms, excluded.early_ms)
    RETURNING f.last_id`,
});
