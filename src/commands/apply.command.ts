import { Command } from 'commander';
import { text } from 'node:stream/consumers';
import {
  ApplyService,
  ConfigurationFileError,
  describePlan,
  readConfigurationFile,
} from '../management/index.js';
import type { CommandContext } from './command-context.js';
import { FOUND_CHANGES } from './exit-codes.js';
import { readTextFile } from './read-text-file.js';
import { withServices } from './with-services.js';

/** `apply <file>`: applies a configuration file; `-` reads standard input. */
export function applyCommand(context: CommandContext): Command {
  return new Command('apply')
    .description('apply a configuration file (YAML or JSON; - for standard input)')
    .argument('<file>')
    .option('--dry-run', 'print what would change, and change nothing; exit with 2 where something would')
    .action(async (path: string, { dryRun = false }: { dryRun?: boolean }) => {
      // /dev/stdin is not used, because it cannot be opened when standard input is a socket.
      const content = path === '-' ? await text(process.stdin) : await readTextFile(path);
      const { file, lineOf } = readConfigurationFile(content);
      try {
        await withServices(context, async (services) => {
          const accounts = await services.get(ApplyService, { strict: false }).apply(file, { dryRun });
          context.print({ dry_run: dryRun, accounts }, describePlan(accounts));
          if (dryRun && accounts.some(({ changes }) => changes.length > 0)) process.exitCode = FOUND_CHANGES;
        });
      } catch (error) {
        if (error instanceof ConfigurationFileError) error.locate(lineOf);
        throw error;
      }
    });
}
