import type { Statement } from '../../database/index.js';
import { ANY_ROUTER, ANY_USER, lastFolded } from './series.sql.js';

/** Returns the accounts whose logs have blocks. */
export const LIST_FOLDED: Statement = {
  name: 'assignment_list_folded',
  text: 'SELECT account_id AS id FROM assignment_folds ORDER BY 1',
};

/**
 * $1 account, $2 an id, $3 the first id that stays, $4 most entries. Adds the next entries in blocks to the
 * numbers of those that are dropped, and returns the id of the last one. The transaction must drop them.
 */
export const ADD_DROPPED: Statement = {
  name: 'assignment_add_dropped',
  text: `WITH slice AS MATERIALIZED (
      SELECT a.id, a.router_id, a.user_email FROM assignments a
      WHERE a.account_id = $1 AND a.id > $2 AND a.id < $3 AND a.id <= ${lastFolded('$1')} ORDER BY a.id LIMIT $4
    ), added AS (
      INSERT INTO assignment_bases AS s (account_id, router_id, user_email, entries)
      SELECT $1, CASE WHEN grouping(router_id) = 1 THEN ${ANY_ROUTER} ELSE router_id END,
        CASE WHEN grouping(user_email) = 1 THEN ${ANY_USER} ELSE user_email END, count(*)
      FROM slice GROUP BY GROUPING SETS ((), (router_id), (user_email), (router_id, user_email))
      HAVING count(*) > 0 AND (grouping(user_email) = 1 OR user_email IS NOT NULL)
      ON CONFLICT (account_id, router_id, user_email) DO UPDATE SET entries = s.entries + excluded.entries
    )
    SELECT id FROM slice ORDER BY id DESC LIMIT 1`,
};

/** $1 account. Deletes the blocks all of whose entries are dropped. The first bound is one of the index. */
export const DELETE_EMPTY_BLOCKS: Statement = {
  name: 'assignment_delete_empty_blocks',
  text: `DELETE FROM assignment_blocks b USING assignment_bases s
    WHERE b.account_id = $1 AND s.account_id = $1 AND s.router_id = b.router_id AND s.user_email = b.user_email
      AND b.before < s.entries AND b.before + b.entries <= s.entries`,
};

/** $1 account. Deletes the bases of series without blocks, which then begin anew. */
export const DELETE_EMPTY_BASES: Statement = {
  name: 'assignment_delete_empty_bases',
  text: `DELETE FROM assignment_bases s WHERE s.account_id = $1 AND NOT EXISTS (SELECT FROM assignment_blocks b
      WHERE b.account_id = $1 AND b.router_id = s.router_id AND b.user_email = s.user_email)`,
};
