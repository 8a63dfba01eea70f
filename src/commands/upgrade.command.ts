import { Command } from 'commander';
import type { CommandContext } from './command-context.js';

/** `upgrade --old-binaries <folder>`: moves the embedded database to the PostgreSQL of this version. */
export function upgradeCommand(context: CommandContext): Command {
  return new Command('upgrade')
    .description('move the embedded database to the major version of PostgreSQL that this version brings')
    .requiredOption('--old-binaries <folder>', 'the programs of the PostgreSQL that made the database')
    .action(async ({ oldBinaries }: { oldBinaries: string }) => {
      const { upgrade } = await import('./upgrade.action.js');
      await upgrade(context, oldBinaries);
    });
}
