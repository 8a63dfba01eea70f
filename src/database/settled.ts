import type { Queryable, Statement } from './queryable.js';

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

/** What the transactions of a database were at an instant. */
export interface Observation {
  /** By the clock of the database. */
  readonly at: Date;
  /** A new id. Transactions that take theirs later read the clock later. */
  readonly id: bigint;
  /** The oldest id whose transaction has not ended. */
  readonly running: bigint;
}

/**
 * Tells from observations of a database until when all rows of a kind are there whose ids begin with the
 * time. A transaction gives its rows ids by the clock, and may commit them later than others that have
 * greater ids.
 */
export class SettledIds {
  private observed: Observation | undefined;
  private settled: Date | undefined;

  /**
   * @param distance milliseconds by which an id may be older than that of its transaction; the clock of the
   *   database may be set back by as much without harm
   */
  constructor(private readonly distance: number) {}

  /** @returns the instant before whose ids no new ones appear; undefined where that is not known yet */
  add(observation: Observation): Date | undefined {
    const { observed } = this;
    if (observed !== undefined && observed.id < observation.running) {
      this.settled = new Date(observed.at.getTime() - this.distance);
      this.observed = undefined;
    }
    // A lower id is that of another server, which has taken the place of the first.
    if (this.observed === undefined || observation.id < this.observed.id) this.observed = observation;
    return this.settled;
  }
}

/**
 * Tells of what is new in the database when every transaction knows it: those have ended that began to write
 * before it could be seen.
 */
export class KnownToAll {
  /** For each key that is not known to all, a transaction id that was given when it could be seen. */
  private visibleAt = new Map<string, bigint>();

  /** Returns those of the keys that all transactions know. Keys that are left out are forgotten. */
  add(keys: readonly string[], { id, running }: Pick<Observation, 'id' | 'running'>): ReadonlySet<string> {
    const before = this.visibleAt;
    this.visibleAt = new Map();
    return new Set(
      keys.filter((key) => {
        const seen = before.get(key);
        // A lower id is that of another server, which has taken the place of the first.
        const since = seen === undefined || id < seen ? id : seen;
        this.visibleAt.set(key, since);
        return since < running;
      }),
    );
  }
}
