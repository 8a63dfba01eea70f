import { onCluster } from './cluster-form.js';

/**
 * The end of a query, from its condition on, for the row with a key of an index. PostgreSQL has no choice:
 * several indexes begin with an account and a type, and where its statistics say that an account has few
 * rows, it takes any of them and reads the whole account for a row. It knows nothing of how many rows a pair
 * of bounds has, and only the index of these columns has their order. A value that it would know when it
 * plans is passed by `unknownWhenPlanned`. The first column is that of the account.
 */
export const atKey = (columns: readonly string[], values: readonly string[]): string => {
  const [key, value] = [columns.join(', '), values.join(', ')];
  const ofAccount = onCluster(`${columns[0]} = ${values[0]} AND`);
  return `${ofAccount} (${key}) >= (${value}) AND (${key}) <= (${value}) ORDER BY ${key} LIMIT 1`;
};
