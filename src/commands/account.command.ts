import { Command } from 'commander';
import type { CommandContext } from './command-context.js';
import { table } from './command-output.js';
import { listAccounts as listAll, withServices } from './with-services.js';

/** `account list`: prints the accounts. */
export function accountCommand(context: CommandContext): Command {
  const list = new Command('list').description('list the accounts').action(() => listAccounts(context));
  return new Command('account').description('accounts').addCommand(list);
}

async function listAccounts(context: CommandContext): Promise<void> {
  await withServices(context, async (services) => {
    const accounts = (await listAll(services)).map(({ id, slug, name, suspendedAt }) => ({
      id,
      slug,
      name,
      suspended: suspendedAt !== null,
    }));
    const cells = accounts.map(({ slug, name, id, suspended }) => [
      slug,
      name,
      id,
      suspended ? 'suspended' : 'active',
    ]);
    context.output.print({ accounts }, table(['SLUG', 'NAME', 'ID', 'STATE'], cells));
  });
}
