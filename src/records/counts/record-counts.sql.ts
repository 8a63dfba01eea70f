import { idFrom, LEAST_ID, unknownWhenPlanned } from '../../database/index.js';

/** Fragments of SQL that count records by what is counted already. $1 is the account, $2 the object type. */

const OF_TYPE = `account_id = ${unknownWhenPlanned('$1::uuid')} AND object_type = ${unknownWhenPlanned('$2::text')}`;

/** The id behind the last block, as a relation `blocks` with the column `end_id`. */
export const COUNTED_UNTIL = `(SELECT COALESCE((SELECT end_id FROM record_blocks
    WHERE ${OF_TYPE} ORDER BY first_id DESC LIMIT 1), '${LEAST_ID}') AS end_id) AS blocks`;

/** A condition on `id`: behind the last block. */
export const NOT_COUNTED = idFrom('id', 'blocks.end_id');

/** The columns of a block or a change that a count adds up. */
const counted = (active: boolean): string => (active ? 'total - archived' : 'total');

/**
 * The count of a type's records: the blocks, the changes that wait to be added to them, and the records
 * behind them. It is exact, because all three are of one snapshot. Returns a row `count, uncounted`, where
 * `uncounted` is the number of records behind the blocks.
 */
export const countRecords = (active: boolean): string => {
  const n = counted(active);
  return `SELECT (counted.n + changed.n + behind.n)::int AS count, behind.n::int AS uncounted
    FROM ${COUNTED_UNTIL}
    CROSS JOIN LATERAL (SELECT COALESCE(sum(${n}), 0) AS n FROM record_blocks WHERE ${OF_TYPE}) AS counted
    CROSS JOIN LATERAL (SELECT COALESCE(sum(${n}), 0) AS n FROM record_block_changes
      WHERE ${OF_TYPE} AND record_id < blocks.end_id) AS changed
    CROSS JOIN LATERAL (SELECT count(*) AS n FROM records
      WHERE ${OF_TYPE} AND ${NOT_COUNTED}${active ? ' AND archived_at IS NULL' : ''}) AS behind`;
};

/**
 * The place of the record at an offset: `first_id`, the first id of its block, or that behind all blocks, and
 * `before`, the number of records in front of that. Whatever the offset is, less than a block lies between.
 */
export const findOffset = (active: boolean, offset: string): string => {
  const n = counted(active);
  return `SELECT place.first_id, place.before
    FROM (
      SELECT first_id, COALESCE(sum(n) OVER (ORDER BY first_id ROWS UNBOUNDED PRECEDING) - n, 0) AS before
      FROM (
        SELECT first_id, sum(n) AS n
        FROM (
          SELECT first_id, ${n} AS n FROM record_blocks WHERE ${OF_TYPE}
          UNION ALL
          SELECT (SELECT first_id FROM record_blocks
              WHERE ${OF_TYPE} AND first_id <= record_id ORDER BY first_id DESC LIMIT 1), ${n}
            FROM ${COUNTED_UNTIL} CROSS JOIN record_block_changes WHERE ${OF_TYPE} AND record_id < blocks.end_id
          UNION ALL
          SELECT end_id, 0 FROM ${COUNTED_UNTIL}
        ) AS parts
        GROUP BY first_id
      ) AS ordered
    ) AS place
    WHERE place.before <= ${offset}
    ORDER BY place.first_id DESC LIMIT 1`;
};

/** A condition on the records `r`: from the place on that `findOffset` has found, as a relation `place`. */
export const FROM_PLACE = idFrom('r.id', '(SELECT first_id FROM place)');

/** The records that lie between that place and the offset. */
export const behindPlace = (offset: string): string => `(SELECT ${offset} - before FROM place)`;
