import { Command } from 'commander';
import type { CommandContext } from './command-context.js';

/** `account list`: prints the accounts. */
export function accountCommand(context: CommandContext): Command {
  const list = new Command('list').description('list the accounts').action(async () => {
    const { listAccounts } = await import('./account.action.js');
    await listAccounts(context);
  });
  return new Command('account').description('accounts').addCommand(list);
}
