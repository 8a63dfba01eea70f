import { Command } from 'commander';
import type { CommandContext } from './command-context.js';

/** `load <file>`: loads a dump into an empty database. */
export function loadCommand(context: CommandContext): Command {
  return new Command('load')
    .description('load a dump into an empty database, all or nothing')
    .argument('<file>', 'the dump')
    .action(async (path: string) => {
      const { load } = await import('./load.action.js');
      await load(context, path);
    });
}
