import { Injectable } from '@nestjs/common';
import type { AccountContext } from '../accounts/index.js';
import type { Queryable, Statement } from '../database/index.js';
import type { ObjectType } from '../fields/index.js';

/** Counts the records of a type by the value of a field, for these values. No index has the values. */
const COUNT_VALUES: Statement = {
  name: 'records_count_values',
  text: `SELECT r.fields ->> $3::text AS value, count(*) AS count FROM records r
    WHERE r.account_id = $1 AND r.object_type = $2 AND r.fields ->> $3::text = ANY($4::text[])
    GROUP BY 1`,
};

/** Counts the records that hold certain values. */
@Injectable()
export class RecordValuesRepository {
  /**
   * Counts records, archived ones included. Reads every record of the type, once for all values.
   * @param values as they are stored
   * @returns the count by value; a value that no record holds is missing
   */
  async count(
    db: Queryable,
    { accountId }: AccountContext,
    { objectType, field, values }: { objectType: ObjectType; field: string; values: readonly string[] },
  ): Promise<ReadonlyMap<string, number>> {
    const asked = [accountId, objectType, field, values];
    const rows = await db.query<{ value: string; count: string }>(COUNT_VALUES, asked);
    return new Map(rows.map(({ value, count }) => [value, Number(count)]));
  }
}
