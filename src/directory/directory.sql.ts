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

/** The id of the user whom rows of records name by a text; null for a text that names nobody. */
export const userNamed = (account: string, name: string): string =>
  `COALESCE((SELECT u.id FROM users u WHERE u.account_id = ${account} AND u.stored_as = ${name}),
      (SELECT u.id FROM users u WHERE u.account_id = ${account} AND u.email = ${name} AND u.stored_as IS NULL))`;

/** The text by which rows of records name a user. @param id SQL of the user's id */
export const storedNameOf = (account: string, id: string): string =>
  `(SELECT COALESCE(u.stored_as, u.email) FROM users u WHERE u.account_id = ${account} AND u.id = ${id})`;

/** The e-mail that a user has now. @param id SQL of the user's id */
export const emailOf = (account: string, id: string): string =>
  `(SELECT u.email FROM users u WHERE u.account_id = ${account} AND u.id = ${id})`;
