import { Command } from 'commander';
import type { CommandContext } from './command-context.js';

/** `restore <folder>`: verifies a backup and makes the embedded database from it. */
export function restoreCommand(context: CommandContext): Command {
  return new Command('restore')
    .description('verify a backup and restore it into DATA_DIR, which must be empty')
    .argument('<folder>', 'the backup')
    .action(async (backup: string) => {
      const { restore } = await import('./restore.action.js');
      await restore(context, backup);
    });
}
