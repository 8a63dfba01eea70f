import { Command } from 'commander';
import type { CommandContext } from './command-context.js';
import { withServices } from './with-services.js';

/** `export --account <slug>`: prints a configuration file that `apply` accepts. */
export function exportCommand(context: CommandContext): Command {
  return new Command('export')
    .description("print an account's configuration as a file that apply accepts")
    .requiredOption('--account <slug>', 'the account')
    .action(({ account }: { account: string }) => exportAccount(context, account));
}

async function exportAccount(context: CommandContext, slug: string): Promise<void> {
  const { stringify } = await import('yaml');
  const { AccountFiles } = await import('../management/index.js');
  await withServices(context, async (services) => {
    const document = await services.get(AccountFiles, { strict: false }).export(slug);
    context.output.print(document, [
      stringify(document, { aliasDuplicateObjects: false, lineWidth: 0 }).trimEnd(),
    ]);
  });
}
