import { AccountsRepository } from '../accounts/index.js';
import { Database } from '../database/index.js';
import type { CommandContext } from './command-context.js';
import { table } from './printer.js';
import { withServices } from './with-services.js';

export async function listAccounts(context: CommandContext): Promise<void> {
  await withServices(context, async (services) => {
    const repository = services.get(AccountsRepository, { strict: false });
    const accounts = await services.get(Database).read((db) => repository.list(db));
    const rows = accounts.map(({ id, slug, name, suspendedAt }) => ({
      id,
      slug,
      name,
      suspended: suspendedAt !== null,
    }));
    const cells = rows.map(({ slug, name, id, suspended }) => [
      slug,
      name,
      id,
      suspended ? 'suspended' : 'active',
    ]);
    context.print({ accounts: rows }, table(['SLUG', 'NAME', 'ID', 'STATE'], cells));
  });
}
