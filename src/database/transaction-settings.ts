import type { Deadline } from './deadline.js';
import type { FindWritten } from './queryable.js';

export type Isolation = 'READ COMMITTED' | 'REPEATABLE READ';

/** A COMMIT whose answer was lost. */
export interface LostCommit {
  readonly xid: string;
  /** When COMMIT was sent, by the clock of `performance`. */
  readonly sentAt: number;
  /** For the rows of the last statement. */
  readonly find: FindWritten<unknown> | undefined;
}

/** How a transaction runs. */
export interface TransactionSettings {
  readonly isolation: Isolation;
  /** Does not wait until the transaction has begun; `query` does, after it has sent its statement. */
  readonly eager: boolean;
  /** Writes nothing. */
  readonly readOnly: boolean;
  /** The work tells the id of the transaction: see `Transaction.identify`. */
  readonly identified: boolean;
  /** May take longer than a request. */
  readonly long: boolean;
  readonly deadline: Deadline;
  /** Finds the rows of the last statement; undefined where nothing is committed. See Outcomes. */
  readonly settle: (lost: LostCommit) => Promise<readonly unknown[] | undefined>;
}
