import type { Queryable } from '../../database/index.js';
import { READ_CLOCK } from './partitions.statements.js';

/** Returns the time by the clock of the database, which ids begin with. */
export async function readClock(db: Queryable): Promise<Date> {
  const [row] = await db.query<{ at: Date }>(READ_CLOCK, []);
  if (row === undefined) throw new Error('The clock of the database has no row');
  return row.at;
}

/** Returns that time or the one of this process, whichever is behind: what is old by it is old by both. */
export async function readEarlierClock(db: Queryable): Promise<Date> {
  return new Date(Math.min((await readClock(db)).getTime(), Date.now()));
}
