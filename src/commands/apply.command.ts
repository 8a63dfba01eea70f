import { Command } from 'commander';
import type { ApplyFlags } from './apply.action.js';
import type { CommandContext } from './command-context.js';

/** `apply <file>`: applies a configuration file; `-` reads standard input. */
export function applyCommand(context: CommandContext): Command {
  return new Command('apply')
    .description('apply a configuration file (YAML or JSON; - for standard input)')
    .argument('<file>')
    .option('--dry-run', 'print what would change, and change nothing; exit with 2 where something would')
    .option('--prune', 'archive what the file leaves out, in the sections that it has')
    .action(async (path: string, flags: ApplyFlags) => {
      const { applyFile } = await import('./apply.action.js');
      await applyFile(context, path, flags);
    });
}
