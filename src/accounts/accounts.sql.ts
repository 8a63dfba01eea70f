/**
 * The parts of the table `accounts` that statements of other rooms are composed of. Parameters are SQL expressions.
 */

/** A condition: the account's configuration is still the one of that version. */
export const configurationIsCurrent = (account: string, version: string): string =>
  `EXISTS (SELECT FROM accounts a WHERE a.id = ${account} AND a.config_version = ${version})`;

/** A row `(id, config_version)` of the account; none for an account that does not exist. */
export const accountVersion = (account: string): string =>
  `SELECT a.id, a.config_version FROM accounts a WHERE a.id = ${account}`;

/** A row `(id)` for each account that is not suspended. */
export const ACTIVE_ACCOUNTS = 'SELECT a.id FROM accounts a WHERE a.suspended_at IS NULL';
