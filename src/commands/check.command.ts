import { Command } from 'commander';
import type { CheckFlags } from './check.action.js';
import type { CommandContext } from './command-context.js';

/** `check`: compares what is kept beside the data of accounts with the data, and repairs what is wrong. */
export function checkCommand(context: CommandContext): Command {
  return new Command('check')
    .description('compare the counts that are kept with what they count, and repair those that are wrong')
    .option('--account <slug>', 'this account only')
    .option('--dry-run', 'repair nothing; exit with 2 where something is wrong')
    .action(async (flags: CheckFlags) => {
      const { checkAccounts } = await import('./check.action.js');
      await checkAccounts(context, flags);
    });
}
