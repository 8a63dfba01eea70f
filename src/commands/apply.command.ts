import { Command } from 'commander';
import { text } from 'node:stream/consumers';
import {
  ApplyService,
  applyText,
  describePlan,
  PartlyAppliedError,
  type WithApplyService,
} from '../management/index.js';
import type { CommandContext } from './command-context.js';
import { errorDocument } from './error-document.js';
import { FOUND_CHANGES } from './exit-codes.js';
import { readTextFile } from './read-text-file.js';
import { withServices } from './with-services.js';

interface ApplyFlags {
  readonly dryRun?: boolean;
  readonly prune?: boolean;
}

/** `apply <file>`: applies a configuration file; `-` reads standard input. */
export function applyCommand(context: CommandContext): Command {
  const withService: WithApplyService = (work) =>
    withServices(context, (services) => work(services.get(ApplyService, { strict: false })));
  return new Command('apply')
    .description('apply a configuration file (YAML or JSON; - for standard input)')
    .argument('<file>')
    .option('--dry-run', 'print what would change, and change nothing; exit with 2 where something would')
    .option('--prune', 'archive what the file leaves out, in the sections that it has')
    .action(async (path: string, { dryRun = false, prune = false }: ApplyFlags) => {
      // /dev/stdin is not used, because it cannot be opened when standard input is a socket.
      const content = path === '-' ? await text(process.stdin) : await readTextFile(path);
      try {
        const accounts = await applyText(content, withService, { dryRun, prune });
        context.print({ dry_run: dryRun, accounts }, describePlan(accounts));
        if (dryRun && accounts.some(({ changes }) => changes.length > 0)) process.exitCode = FOUND_CHANGES;
      } catch (error) {
        if (error instanceof PartlyAppliedError) {
          const { plans: accounts } = error;
          context.print({ dry_run: dryRun, accounts, ...errorDocument(error) }, describePlan(accounts));
        }
        throw error;
      }
    });
}
