/** Less than any id. */
export const LEAST_ID = '00000000-0000-0000-0000-000000000000';

/** Greater than any id. */
export const GREATEST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/**
 * Returns a condition: an id from another one on, which PostgreSQL does not know when it plans. With both
 * bounds it expects a small part of the rows there. With one bound it expects a third of all, and may read
 * the whole table instead of the index.
 */
export const idFrom = (id: string, least: string): string =>
  `${id} >= ${least} AND ${id} <= '${GREATEST_ID}'`;
