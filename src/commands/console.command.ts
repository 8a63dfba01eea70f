import { Command, Option } from 'commander';
import { ROLES, type Role } from '../auth/scope.js';
import type { CommandContext } from './command-context.js';
import { findAccount, withServices } from './with-services.js';

interface Invited {
  readonly account: string;
  readonly email: string;
  readonly role?: Role;
}

const ROLE = 'of the member; it stays unless given, and is viewer for a new one';

/** `console link`: lets a person enter the console. */
export function consoleCommand(context: CommandContext): Command {
  const command = new Command('console').description('the console in the browser');
  command
    .command('link')
    .description('print a link by which a person enters the console, once, within 15 minutes')
    .requiredOption('--account <slug>', 'the account')
    .requiredOption('--email <email>', 'of the member, who is made if there is none')
    .addOption(new Option('--role <role>', ROLE).choices(ROLES))
    .action(async ({ account, email, role }: Invited) => {
      const { MemberAccessService } = await import('../management/index.js');
      await withServices(context, async (services) => {
        const by = { ...(await findAccount(services, account)), command: 'console link' };
        const link = await services.get(MemberAccessService, { strict: false }).invite(by, { email, role });
        context.output.print(link, [link.url, `It works once, until ${link.expires_at}.`]);
      });
    });
  return command;
}
