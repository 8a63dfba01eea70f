import { Command } from 'commander';
import type { CommandContext } from './command-context.js';

/** `dump <file>`: writes the rows of all tables to a file that `load` reads. */
export function dumpCommand(context: CommandContext): Command {
  return new Command('dump')
    .description('write the rows of all tables to a new file, for any version of PostgreSQL')
    .argument('<file>', 'the dump, which must not exist')
    .action(async (path: string) => {
      const { dump } = await import('./dump.action.js');
      await dump(context, path);
    });
}
