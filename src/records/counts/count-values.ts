import type { AccountContext } from '../../accounts/index.js';
import type { Queryable, Statement } from '../../database/index.js';
import type { ObjectType } from '../../fields/index.js';

/** Counts the records of a type by the value of a field, for these values. No index has the values. */
const COUNT_VALUES: Statement = {
  name: 'records_count_values',
  text: `SELECT r.fields ->> $3::text AS value, count(*) AS count FROM records r
    WHERE r.account_id = $1 AND r.object_type = $2 AND r.fields ->> $3::text = ANY($4::text[])
    GROUP BY 1`,
};

/**
 * Counts records, archived ones included, by a value of a field as it is stored. Reads every record of the
 * type, once for all values. A value that no record holds is missing.
 */
export async function countValues(
  db: Queryable,
  { accountId }: AccountContext,
  { objectType, field, values }: { objectType: ObjectType; field: string; values: readonly string[] },
): Promise<ReadonlyMap<string, number>> {
  const asked = [accountId, objectType, field, values];
  const rows = await db.query<{ value: string; count: string }>(COUNT_VALUES, asked);
  return new Map(rows.map(({ value, count }) => [value, Number(count)]));
}
