import { DataSource } from 'typeorm';
import type { TestService } from '../test-service.js';

/** What the slugs of accounts begin with that belong to an earlier test. */
const FORGOTTEN = 'forgotten-';

/**
 * Gives all accounts other slugs, so that the next test may use their names: for commands and files it is as
 * if there were none. A database of its own costs a test much more.
 */
export async function forgetAccounts({ app }: TestService): Promise<void> {
  const database = app.get(DataSource);
  await database.query(
    `UPDATE accounts SET slug = '${FORGOTTEN}' || id::text WHERE slug NOT LIKE '${FORGOTTEN}%'`,
  );
  await database.query(`UPDATE account_keys SET key = '${FORGOTTEN}' || account_id::text
    WHERE kind = 'slug' AND key NOT LIKE '${FORGOTTEN}%'`);
}

/** Whether an account belongs to an earlier test. */
export const isForgotten = (slug: string): boolean => slug.startsWith(FORGOTTEN);
