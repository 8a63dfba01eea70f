/** Fragments of SQL for statements of other rooms on the table `users`. Parameters are SQL expressions. */

/**
 * The e-mails of those of the account's users whose e-mail has changed, as a JSON object by stored name; null
 * where there are none. `StoredNames.from` reads it. A statement evaluates it once, by an index that is empty
 * for most accounts. So what is read and how it is named are of one instant.
 */
export const renamedUsers = (account: string): string =>
  `(SELECT json_object_agg(u.stored_as, u.email) FROM users u
    WHERE u.account_id = ${account} AND u.stored_as IS NOT NULL)`;

/** These, of the account $1, as the column `renamed`. */
export const RENAMED_USERS = `${renamedUsers('$1')} AS renamed`;

/**
 * The texts by which rows name those of the account's users, archived ones included, whose e-mail meets a
 * condition.
 */
export const namesOfUsers = (account: string, isMeant: (email: string) => string): string =>
  `SELECT COALESCE(u.stored_as, u.email) FROM users u WHERE u.account_id = ${account} AND ${isMeant('u.email')}`;

/**
 * The texts by which rows may name users that are meant by some e-mails, `name`, each with the e-mail that is
 * shown for it, `email`: the names of the users whose e-mail meets a condition, and the e-mails themselves.
 * @param emails SQL, a text[]
 */
export const namesAndEmails = (account: string, isMeant: (email: string) => string, emails: string): string =>
  `SELECT COALESCE(u.stored_as, u.email) AS name, u.email FROM users u
      WHERE u.account_id = ${account} AND ${isMeant('u.email')}
    UNION SELECT e.email, COALESCE(u.email, e.email) FROM unnest(${emails}) AS e (email)
      LEFT JOIN users u ON u.account_id = ${account} AND u.stored_as = e.email`;
