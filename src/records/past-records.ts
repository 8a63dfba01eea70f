import type { AccountContext } from '../accounts/index.js';
import type { Queryable } from '../database/index.js';
import type { ObjectType } from '../fields/index.js';

/** A record as it was made at an instant. Its fields are as they are stored. */
export interface PastRecord {
  readonly at: Date;
  readonly fields: Readonly<Record<string, string>>;
}

/** $1 account, $2 object type, $3 a JSON array of `{at, fields}`. Their author is an import. */
const INSERT = {
  name: 'records_insert_past',
  text: `INSERT INTO records (account_id, object_type, id, fields, changed_by, created_at, updated_at)
    SELECT $1, $2, uuid_v7(past.at), past.fields, jsonb_build_object('kind', 'import', 'n', past.n), past.at, past.at
    FROM ROWS FROM (json_to_recordset($3::json) AS (at timestamptz, fields jsonb)) WITH ORDINALITY AS past (at, fields, n)
    ORDER BY past.n RETURNING id`,
};

/**
 * Writes records of the past, without the rules of requests: the demo account has some.
 * @returns their ids, in the order given
 */
export async function insertPastRecords(
  db: Queryable,
  { accountId }: AccountContext,
  { objectType, records }: { readonly objectType: ObjectType; readonly records: readonly PastRecord[] },
): Promise<string[]> {
  const rows = await db.query<{ id: string }>(INSERT, [accountId, objectType, JSON.stringify(records)]);
  return rows.map(({ id }) => id);
}
