import { Injectable } from '@nestjs/common';
import type { AccountContext } from '../../accounts/index.js';
import type { Queryable, Statement } from '../../database/index.js';
import { OBJECT_TYPES } from '../../fields/index.js';
import type { KeyColumn } from '../record-key.js';
import type { RecordKey } from '../records.repository.js';

/** An active record that is looked for. */
export interface SoughtTarget extends Pick<RecordKey, 'objectType'> {
  readonly how: 'id' | KeyColumn;
  /** The id, or the value of the key as it is stored. */
  readonly value: string;
}

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
const FIND_TARGETS: Statement = {
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

/** Finds the records that references name, with one statement for any number of them. */
@Injectable()
export class TargetsRepository {
  /** Finds active records. @returns the id of each, or undefined */
  async find(
    db: Queryable,
    { accountId }: AccountContext,
    sought: readonly SoughtTarget[],
  ): Promise<(string | undefined)[]> {
    const columns = (['objectType', 'how', 'value'] as const).map((key) => sought.map((each) => each[key]));
    const rows = await db.query<{ n: number; id: string }>(FIND_TARGETS, [accountId, ...columns]);
    const ids = new Map(rows.map(({ n, id }) => [n, id]));
    return sought.map((_, index) => ids.get(index + 1));
  }
}
