/** Fragments of SQL for statements of other rooms on the table `accounts`. Parameters are SQL expressions. */

/** A condition: the account's configuration still has that version. */
export const configurationIsCurrent = (account: string, version: string): string =>
  `EXISTS (SELECT FROM accounts a WHERE a.id = ${account} AND a.config_version = ${version})`;

/** A row `(id, config_version)` of the account. There is no row for an account that does not exist. */
export const accountVersion = (account: string): string =>
  `SELECT a.id, a.config_version FROM accounts a WHERE a.id = ${account}`;

/** A row `(id)` for each account that is not suspended. */
export const ACTIVE_ACCOUNTS = 'SELECT a.id FROM accounts a WHERE a.suspended_at IS NULL';
