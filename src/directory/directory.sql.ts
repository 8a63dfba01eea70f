import { atKey, type Statement, unknownWhenPlanned } from '../database/index.js';

/** Fragments of SQL for statements of other rooms on the table `users`. Parameters are SQL expressions. */

/**
 * The e-mails of those of the account's users whose e-mail has changed, as a JSON object by stored name; null
 * where there are none. `StoredNames.from` reads it. A statement evaluates it once, by an index that is empty
 * for most accounts. So what is read and how it is named are of one instant.
 */
export const renamedUsers = (account: string): string => `(${selectRenamed(account)})`;

const selectRenamed = (account: string): string =>
  `SELECT json_object_agg(u.stored_as, u.email) AS renamed FROM users u
    WHERE u.account_id = ${account} AND u.stored_as IS NOT NULL`;

/** These alone, of the account $1. */
export const READ_RENAMED: Statement = { name: 'users_renamed', text: selectRenamed('$1') };

/** These, of the account $1, as the column `renamed`. */
export const RENAMED_USERS = `${renamedUsers('$1')} AS renamed`;

/** The end of a query for a user `u` with a value of a column that has an index. */
const userAt = (column: 'id' | 'email' | 'stored_as', account: string, value: string): string =>
  atKey(['u.account_id', `u.${column}`], [unknownWhenPlanned(`${account}::uuid`), value]);

/** The id of the user whom rows of records name by a text; null for a text that names nobody. */
export const userNamed = (account: string, name: string): string =>
  `COALESCE((SELECT u.id FROM users u WHERE u.stored_as IS NOT NULL AND ${userAt('stored_as', account, name)}),
      (SELECT u.id FROM (SELECT u.id, u.stored_as FROM users u WHERE ${userAt('email', account, name)}) AS u
        WHERE u.stored_as IS NULL))`;

/** The text by which rows of records name a user. @param id SQL of the user's id */
export const storedNameOf = (account: string, id: string): string =>
  `(SELECT COALESCE(u.stored_as, u.email) FROM users u WHERE ${userAt('id', account, id)})`;

/** The e-mail that a user has now. @param id SQL of the user's id */
export const emailOf = (account: string, id: string): string =>
  `(SELECT u.email FROM users u WHERE ${userAt('id', account, id)})`;
