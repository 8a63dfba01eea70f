import { Command } from 'commander';
import { dump } from 'js-yaml';
import { ExportService } from '../management/index.js';
import type { CommandContext } from './command-context.js';
import { withServices } from './with-services.js';

/** `export --account <slug>`: prints a configuration file that `apply` accepts. */
export function exportCommand(context: CommandContext): Command {
  return new Command('export')
    .description("print an account's configuration as a file that apply accepts")
    .requiredOption('--account <slug>', 'the account')
    .action(({ account }: { account: string }) =>
      withServices(context, async (services) => {
        const document = await services.get(ExportService, { strict: false }).export(account);
        context.print(document, [dump(document, { noRefs: true, lineWidth: -1 }).trimEnd()]);
      }),
    );
}
