import { Command, InvalidArgumentError } from 'commander';
import { parseScopes, SCOPES, type Scope } from '../auth/scope.js';
import { MOST_OVERLAP } from '../auth/client-secret.js';
import type { NewClient } from './client.action.js';
import type { CommandContext } from './command-context.js';
import { wholeNumber } from './whole-number.js';

/** `client create | list | rotate | revoke`: manages API clients. */
export function clientCommand(context: CommandContext): Command {
  const create = new Command('create')
    .description('create an API client; its secret is printed this once')
    .requiredOption('--account <slug>', 'the account it acts for')
    .requiredOption('--name <name>', 'what to call it, in 1 to 200 characters')
    .option(
      '--scope <scopes>',
      `space-separated: ${SCOPES.join(' ')} (all but availability and manage unless given)`,
      readScopes,
    )
    .action(async (client: NewClient) => {
      const { createClient } = await import('./client.action.js');
      await createClient(context, client);
    });

  const list = new Command('list')
    .description("list an account's API clients")
    .requiredOption('--account <slug>', 'the account')
    .action(async ({ account }: { account: string }) => {
      const { listClients } = await import('./client.action.js');
      await listClients(context, account);
    });

  const rotate = new Command('rotate')
    .description('give a client a new secret')
    .argument('<client_id>')
    .option(
      '--overlap <seconds>',
      `for which the old secret works on, at most ${MOST_OVERLAP}`,
      wholeNumber('seconds', 0, MOST_OVERLAP),
      0,
    )
    .action(async (clientId: string, { overlap }: { overlap: number }) => {
      const { rotateClient } = await import('./client.action.js');
      await rotateClient(context, clientId, overlap);
    });

  const revoke = new Command('revoke')
    .description('end a client; its tokens stop working within seconds')
    .argument('<client_id>')
    .action(async (clientId: string) => {
      const { revokeClient } = await import('./client.action.js');
      await revokeClient(context, clientId);
    });

  const command = new Command('client').description('API clients');
  return [create, list, rotate, revoke].reduce((parent, child) => parent.addCommand(child), command);
}

function readScopes(text: string): Scope[] {
  const parsed = parseScopes(text);
  if ('unknown' in parsed || parsed.scopes.length === 0) {
    throw new InvalidArgumentError(`Known scopes: ${SCOPES.join(' ')}.`);
  }
  return parsed.scopes;
}
