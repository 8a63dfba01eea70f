import { Injectable } from '@nestjs/common';
import type { AccountContext } from '../accounts/index.js';
import type { Queryable } from '../database/index.js';
import type { ObjectType } from '../fields/index.js';
import { COUNT_VALUES } from './record-values.statements.js';

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
    query: {
      readonly objectType: ObjectType;
      readonly field: string;
      readonly values: readonly string[];
    },
  ): Promise<ReadonlyMap<string, number>> {
    const { objectType, field, values } = query;
    const rows = await db.query<{ value: string; count: string }>(COUNT_VALUES, [
      accountId,
      objectType,
      field,
      values,
    ]);
    return new Map(rows.map(({ value, count }) => [value, Number(count)]));
  }
}
