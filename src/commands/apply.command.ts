import { Command } from 'commander';
import type { CommandContext } from './command-context.js';
import { errorDocument, FOUND_CHANGES } from './command-output.js';
import { readInput } from './files.js';
import { withServices } from './with-services.js';

interface ApplyFlags {
  readonly dryRun?: boolean;
  readonly prune?: boolean;
}

/** `apply <file>`: applies a configuration file; `-` reads standard input. */
export function applyCommand(context: CommandContext): Command {
  return new Command('apply')
    .description('apply a configuration file (YAML or JSON; - for standard input)')
    .argument('<file>')
    .option('--dry-run', 'print what would change, and change nothing; exit with 2 where something would')
    .option('--prune', 'archive what the file leaves out, in the sections that it has')
    .action((path: string, flags: ApplyFlags) => applyFile(context, path, flags));
}

async function applyFile(context: CommandContext, path: string, flags: ApplyFlags): Promise<void> {
  const { dryRun = false, prune = false } = flags;
  const { output } = context;
  const management = await import('../management/index.js');
  const { ApplyService, describePlan, parseConfigurationFile, PartlyAppliedError } = management;
  const file = parseConfigurationFile(await readInput(context, path));
  try {
    const accounts = await withServices(context, (services) =>
      services.get(ApplyService, { strict: false }).apply(file, { dryRun, prune }),
    );
    output.print({ dry_run: dryRun, accounts }, describePlan(accounts));
    if (dryRun && accounts.some(({ changes }) => changes.length > 0)) output.exitCode = FOUND_CHANGES;
  } catch (error) {
    if (error instanceof PartlyAppliedError) {
      const { plans: accounts } = error;
      output.print({ dry_run: dryRun, accounts, ...errorDocument(error) }, describePlan(accounts));
    }
    throw error;
  }
}
