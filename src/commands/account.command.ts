import { Command } from 'commander';
import type { CommandContext } from './command-context.js';
import { table } from './command-output.js';
import { listAccounts, withServices } from './with-services.js';

/** `account list`: prints the accounts. */
export function accountCommand(context: CommandContext): Command {
  const command = new Command('account').description('accounts');
  command
    .command('list')
    .description('list the accounts')
    .action(async () => {
      const found = await withServices(context, listAccounts);
      const accounts = found.map((each) => {
        const { id, slug, name, suspendedAt } = each;
        return { id, slug, name, suspended: suspendedAt !== null };
      });
      const cells = accounts.map(({ slug, name, id, suspended }) => {
        const state = suspended ? 'suspended' : 'active';
        return [slug, name, id, state];
      });
      context.output.print({ accounts }, table(['SLUG', 'NAME', 'ID', 'STATE'], cells));
    });
  return command;
}
