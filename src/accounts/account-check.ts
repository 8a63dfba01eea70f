import type { AccountContext } from './account-context.js';

/** What a check has found. */
export interface CheckResult {
  /** Rows that were looked at. */
  readonly compared: number;
  /** How many of the rows, or of what is kept of them, are wrong. */
  readonly wrong: number;
  /** The first that are wrong, each as a sentence, where a person has to mend them. */
  readonly found?: readonly string[];
}

/** Most sentences of `found`. */
export const MOST_FOUND = 20;

/**
 * Compares what is kept beside an account's data, such as counts, with the data, or the data with what could
 * be written now (`fairlead check`).
 */
export interface AccountCheck {
  /** What is checked, for the output. */
  readonly subject: string;
  /** Changes nothing. Runs while the account is in use. */
  compare(account: AccountContext): Promise<CheckResult>;
  /** Makes what is kept anew; undefined where only a person can mend it. */
  repair?(account: AccountContext): Promise<void>;
}
