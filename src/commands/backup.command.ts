import { Command } from 'commander';
import type { CommandContext } from './command-context.js';

/** `backup <folder>`: copies the embedded database, also while the service runs. */
export function backupCommand(context: CommandContext): Command {
  return new Command('backup')
    .description('copy the embedded database to a new folder, also while the service runs')
    .argument('<folder>', 'the backup, which must not exist')
    .action(async (target: string) => {
      const { backUp } = await import('./backup.action.js');
      await backUp(context, target);
    });
}
