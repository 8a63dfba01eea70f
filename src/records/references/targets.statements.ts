import type { Statement } from '../../database/index.js';
import { RENAMED_USERS } from '../../directory/index.js';
import { OBJECT_TYPES } from '../../fields/index.js';
import { recordViewText, VIEW_COLUMNS, viewFields } from '../record-view.sql.js';

const TYPES = OBJECT_TYPES.map((objectType) => `'${objectType}'`).join(', ');

/** The active record with the value of a column; none where `asked` names it in another way. */
const namedBy = (how: string, column: string, value: string): string =>
  `SELECT r.id FROM records r
    WHERE r.account_id = $1 AND r.object_type = asked.object_type AND r.archived_at IS NULL
      AND r.${column} = CASE asked.how WHEN '${how}' THEN ${value} END`;

/**
 * $1 account, $2 to $4 for each record that is looked for: its type, `id` or the column of a key, and the
 * value. A row for each that is found: its place in these lists, from 1, and its id. The conditions at the
 * end leave nothing out: they make PostgreSQL expect one, as a rule there is. It would expect more when it
 * plans for all values than when it plans for these, and so plan anew at each use.
 */
export const FIND_TARGETS: Statement = {
  name: 'record_find_targets',
  text: `SELECT asked.n::int AS n, found.id
    FROM unnest($2::text[], $3::text[], $4::text[]) WITH ORDINALITY AS asked (object_type, how, value, n)
    CROSS JOIN LATERAL (
      ${namedBy('id', 'id', 'asked.value::uuid')}
      UNION ALL ${namedBy('unique_key', 'unique_key', 'asked.value')}
      UNION ALL ${namedBy('external_id', 'external_id', 'asked.value')}
    ) AS found
    WHERE asked.how IN ('id', 'unique_key', 'external_id') AND asked.object_type IN (${TYPES})`,
};

const NO_EXTRAS = { names: '', keys: '' };

/** The view of a record of any type, with its default fields. */
const VIEW = `CASE r.object_type ${OBJECT_TYPES.map(
  (objectType) => `WHEN '${objectType}' THEN ${recordViewText({ objectType, extras: 0 }, NO_EXTRAS)}`,
).join(' ')} END`;

const FIELDS = viewFields({ objectType: 'contacts', extras: 0 });

/**
 * $1 account, $2 and $3 types and ids of records, $4 bytes. The views of the records in this order as JSON
 * text, null for one that there is not. It reads one after the other, and stops behind the record with which
 * the views have $4 bytes together.
 */
export const READ_TARGETS: Statement = {
  name: 'record_read_targets',
  text: `WITH RECURSIVE part AS (
      SELECT 0 AS n, NULL::text AS view, 0::bigint AS bytes
      UNION ALL
      SELECT part.n + 1, target.view, part.bytes + COALESCE(octet_length(target.view), 0)
      FROM part
      LEFT JOIN LATERAL (
        SELECT ${VIEW} AS view
        FROM (SELECT ${VIEW_COLUMNS}, r.object_type, ${FIELDS}
          FROM records r
          WHERE r.account_id = $1 AND r.object_type = ($2::text[])[part.n + 1] AND r.id = ($3::uuid[])[part.n + 1]
          OFFSET 0) AS r
        OFFSET 0
      ) AS target ON true
      WHERE part.n < cardinality($3::uuid[]) AND part.bytes < $4::bigint
    )
    SELECT view, ${RENAMED_USERS} FROM part WHERE n > 0 ORDER BY n`,
};
