import type { AccountContext } from '../accounts/index.js';
import type { Database, Transaction } from '../database/index.js';

/** Reads as of one instant, so that a router and its people are of one version of the configuration. */
export function inSnapshot<T>(
  database: Database,
  account: AccountContext,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  const options = { isolation: 'REPEATABLE READ', readOnly: true, eager: true } as const;
  return database.for(account).transaction(work, options);
}
