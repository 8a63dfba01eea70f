import { Command } from 'commander';
import type { CommandContext } from './command-context.js';

/** `export --account <slug>`: prints a configuration file that `apply` accepts. */
export function exportCommand(context: CommandContext): Command {
  return new Command('export')
    .description("print an account's configuration as a file that apply accepts")
    .requiredOption('--account <slug>', 'the account')
    .action(async ({ account }: { account: string }) => {
      const { exportAccount } = await import('./export.action.js');
      await exportAccount(context, account);
    });
}
