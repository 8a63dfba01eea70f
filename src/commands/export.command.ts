import { Command } from 'commander';
import type { CommandContext } from './command-context.js';
import { withServices } from './with-services.js';

/** `export --account <slug>`: prints a configuration file that `apply` accepts. */
export function exportCommand(context: CommandContext): Command {
  return new Command('export')
    .description("print an account's configuration as a file that apply accepts")
    .requiredOption('--account <slug>', 'the account')
    .action(async ({ account }: { account: string }) => {
      const { stringify } = await import('yaml');
      const { ApplyService } = await import('../management/index.js');
      await withServices(context, async (services) => {
        const document = await services.get(ApplyService, { strict: false }).export(account);
        const text = stringify(document, { aliasDuplicateObjects: false, lineWidth: 0 });
        context.output.print(document, [text.trimEnd()]);
      });
    });
}
