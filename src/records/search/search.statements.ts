import { configurationIsCurrent } from '../../accounts/index.js';
import { unknownWhenPlanned, type Statement } from '../../database/index.js';
import { namesAndEmails, RENAMED_USERS } from '../../directory/index.js';
import { madeStatement } from '../made-statement.js';
import { emailIn } from './narrowing.js';
import { recordViewText, shapeName, VIEW_COLUMNS, viewFields, type ViewShape } from '../record-view.sql.js';

/**
 * $1 milliseconds, $2 account, $3 a version of its configuration. Limits the statements of a transaction, and
 * keeps PostgreSQL from compiling them and from dividing them between processes, which take longer than most
 * of them do. Returns whether the account still has that version.
 */
export const LIMIT_SEARCH: Statement = {
  name: 'record_search_limit',
  text: `SELECT set_config('statement_timeout', $1::text, true), set_config('jit', 'off', true),
    set_config('max_parallel_workers_per_gather', '0', true),
    ${configurationIsCurrent('$2', '$3')} AS "isCurrent"`,
};

/**
 * $1 account, $2 e-mails in the form in which they are compared, $3 these and UNKNOWN_TEXT. What the column
 * of the owner may have for the users whom they mean, `name`, each with the e-mail that is shown for it.
 */
export const FIND_OWNERS: Statement = {
  name: 'record_search_owners',
  text: namesAndEmails('$1', emailIn('$2::text[]', '$3::text[]'), '$2::text[]'),
};

/**
 * $1 account, $2 object type, $3 ids, $4 bytes, then the names and the keys of extra properties, where the
 * shape has some. The views of records, as in lists, in the order of the ids. The view is null where a record
 * has more than $4 bytes.
 */
export const viewsStatement = (shape: ViewShape): Statement =>
  madeStatement(`record_search_views_${shapeName(shape)}`, () => {
    const view = recordViewText(shape, { names: '$5', keys: '$6' });
    return `SELECT r.id, CASE WHEN pg_column_size(r.fields) <= $4 THEN ${view} END AS view,
      ${RENAMED_USERS}
    FROM (SELECT wanted.n, ${VIEW_COLUMNS}, ${viewFields(shape)}
      FROM unnest(${unknownWhenPlanned('$3::uuid[]')}) WITH ORDINALITY AS wanted (id, n)
      JOIN records r ON r.account_id = $1 AND r.object_type = $2 AND r.id = wanted.id OFFSET 0) AS r
    ORDER BY r.n`;
  });
