import type { INestApplicationContext } from '@nestjs/common';
import { AccountsRepository, type AccountContext } from '../accounts/index.js';
import { Database } from '../database/index.js';

/** Returns the account with that slug. @throws Error that names the slug when there is none */
export async function findAccount(services: INestApplicationContext, slug: string): Promise<AccountContext> {
  const accounts = services.get(AccountsRepository, { strict: false });
  const found = await services.get(Database).read((db) => accounts.findBySlug(db, slug));
  if (found === null) throw new Error(`There is no account ${slug}`);
  return { accountId: found.id };
}
