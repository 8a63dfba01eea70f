import type { Statement } from '../database/index.js';

/** Counts the records of a type by the value of a field, for these values. No index has the values. */
export const COUNT_VALUES: Statement = {
  name: 'records_count_values',
  text: `SELECT r.fields ->> $3::text AS value, count(*) AS count FROM records r
    WHERE r.account_id = $1 AND r.object_type = $2 AND r.fields ->> $3::text = ANY($4::text[])
    GROUP BY 1`,
};
