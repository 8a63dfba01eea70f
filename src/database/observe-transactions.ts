import type { Queryable, Statement } from './queryable.js';
import type { Observation } from './settled-ids.js';

/**
 * Reads the instant of the database, a new transaction id, and the oldest id whose transaction has not ended.
 * The upper end of a snapshot would not do for the new id: it is one behind the last transaction that has
 * ended, and later ones may run already.
 */
const OBSERVE: Statement = {
  name: 'observe_transactions',
  text: `SELECT statement_timestamp() AS at, pg_current_xact_id()::text AS id,
    pg_snapshot_xmin(pg_current_snapshot())::text AS running`,
};

/** Observes the transactions of the database, for `SettledIds`. */
export async function observeTransactions(db: Queryable): Promise<Observation> {
  const [row] = await db.query<{ at: Date; id: string; running: string }>(OBSERVE, []);
  if (row === undefined) throw new Error('The state of the database has no row');
  return { at: row.at, id: BigInt(row.id), running: BigInt(row.running) };
}
