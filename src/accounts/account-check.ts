import type { AccountContext } from './account-context.js';

/** What a check has found. */
export interface CheckResult {
  /** Rows that were compared with what is kept of them. */
  readonly compared: number;
  /** What is kept and is wrong, in rows. */
  readonly wrong: number;
}

/**
 * Compares what is kept beside an account's data, such as counts, with the data (`fairlead check`), and
 * repairs it.
 */
export interface AccountCheck {
  /** What is checked, for the output. */
  readonly subject: string;
  /** Changes nothing. Runs while the account is in use. */
  compare(account: AccountContext): Promise<CheckResult>;
  /** Makes what is kept anew. */
  repair(account: AccountContext): Promise<void>;
}
