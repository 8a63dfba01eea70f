import { Command, InvalidArgumentError } from 'commander';
import { parseScopes, SCOPES, type Scope } from '../auth/scope.js';
import { MOST_OVERLAP } from '../auth/secrets.js';
import type { ApiClientsService, ClientCredentials } from '../management/index.js';
import type { CommandContext } from './command-context.js';
import { table } from './command-output.js';
import { findAccount, withServices, type Services } from './with-services.js';

interface NewClient {
  readonly account: string;
  readonly name: string;
  readonly scope?: Scope[];
}

/** `client create | list | rotate | revoke`: manages API clients. */
export function clientCommand(context: CommandContext): Command {
  const command = new Command('client').description('API clients');
  command
    .command('create')
    .description('create an API client; its secret is printed this once')
    .requiredOption('--account <slug>', 'the account it acts for')
    .requiredOption('--name <name>', 'what to call it, in 1 to 200 characters')
    .option(
      '--scope <scopes>',
      `space-separated: ${SCOPES.join(' ')} (all but availability and manage unless given)`,
      readScopes,
    )
    .action(({ account, name, scope }: NewClient) =>
      withClients(context, async (clients, services) =>
        credentials(await clients.create(await findAccount(services, account), name, scope)),
      ),
    );
  command
    .command('list')
    .description("list an account's API clients")
    .requiredOption('--account <slug>', 'the account')
    .action(({ account }: { account: string }) =>
      withClients(context, async (clients, services) =>
        listed(await clients.list(await findAccount(services, account))),
      ),
    );
  command
    .command('rotate')
    .description('give a client a new secret')
    .argument('<client_id>')
    .option(
      '--overlap <seconds>',
      `for which the old secret works on, at most ${MOST_OVERLAP}`,
      readOverlap,
      0,
    )
    .action((clientId: string, { overlap }: { overlap: number }) =>
      withClients(context, async (clients) => credentials(await clients.rotate(clientId, overlap))),
    );
  command
    .command('revoke')
    .description('end a client; its tokens stop working within seconds')
    .argument('<client_id>')
    .action((clientId: string) =>
      withClients(context, async (clients) => {
        await clients.revoke(clientId);
        return { document: { client_id: clientId, revoked: true }, lines: [`revoked ${clientId}`] };
      }),
    );
  return command;
}

/** What a command prints. */
interface Printed {
  readonly document: object;
  readonly lines: readonly string[];
}

async function withClients(
  context: CommandContext,
  work: (clients: ApiClientsService, services: Services) => Promise<Printed>,
): Promise<void> {
  const { ApiClientsService } = await import('../management/index.js');
  await withServices(context, async (services) => {
    const { document, lines } = await work(services.get(ApiClientsService, { strict: false }), services);
    context.output.print(document, lines);
  });
}

function credentials({ clientId, clientSecret }: ClientCredentials): Printed {
  return {
    document: { client_id: clientId, client_secret: clientSecret },
    lines: [`client_id: ${clientId}`, `client_secret: ${clientSecret}`],
  };
}

function listed(found: Awaited<ReturnType<ApiClientsService['list']>>): Printed {
  const clients = found.map(({ id, name, scopes, createdAt, archivedAt }) => ({
    client_id: id,
    name,
    scope: scopes.join(' '),
    created_at: createdAt.toISOString(),
    revoked_at: archivedAt?.toISOString() ?? null,
  }));
  const cells = clients.map(({ client_id, name, revoked_at, scope }) => {
    const state = revoked_at === null ? 'active' : 'revoked';
    return [client_id, name, state, scope];
  });
  return { document: { clients }, lines: table(['CLIENT ID', 'NAME', 'STATE', 'SCOPE'], cells) };
}

function readScopes(text: string): Scope[] {
  const parsed = parseScopes(text);
  if ('scopes' in parsed && parsed.scopes.length > 0) return parsed.scopes;
  throw new InvalidArgumentError(`Known scopes: ${SCOPES.join(' ')}.`);
}

function readOverlap(text: string): number {
  const seconds = /^\d{1,5}$/.test(text) ? Number(text) : NaN;
  if (seconds <= MOST_OVERLAP) return seconds;
  throw new InvalidArgumentError(`It must be a whole number of seconds, 0 to ${MOST_OVERLAP}.`);
}
