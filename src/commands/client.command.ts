import { Command, InvalidArgumentError } from 'commander';
import { parseScopes, SCOPES, type Scope } from '../auth/scope.js';
import { MOST_OVERLAP } from '../auth/client-secret.js';
import type { ApiClientsService, ClientCredentials } from '../management/index.js';
import type { CommandContext } from './command-context.js';
import { table } from './command-output.js';
import { findAccount, withServices, type Services } from './with-services.js';

interface NewClient {
  /** Slug of the account. */
  readonly account: string;
  readonly name: string;
  readonly scope?: Scope[];
}

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
    .action((client: NewClient) => createClient(context, client));

  const list = new Command('list')
    .description("list an account's API clients")
    .requiredOption('--account <slug>', 'the account')
    .action(({ account }: { account: string }) => listClients(context, account));

  const rotate = new Command('rotate')
    .description('give a client a new secret')
    .argument('<client_id>')
    .option(
      '--overlap <seconds>',
      `for which the old secret works on, at most ${MOST_OVERLAP}`,
      readOverlap,
      0,
    )
    .action((clientId: string, { overlap }: { overlap: number }) => rotateClient(context, clientId, overlap));

  const revoke = new Command('revoke')
    .description('end a client; its tokens stop working within seconds')
    .argument('<client_id>')
    .action((clientId: string) => revokeClient(context, clientId));

  const command = new Command('client').description('API clients');
  return [create, list, rotate, revoke].reduce((parent, child) => parent.addCommand(child), command);
}

async function createClient(context: CommandContext, { account, name, scope }: NewClient): Promise<void> {
  await withClients(context, async (clients, services) =>
    printCredentials(context, await clients.create(await findAccount(services, account), name, scope)),
  );
}

async function listClients(context: CommandContext, slug: string): Promise<void> {
  await withClients(context, async (service, services) => {
    const found = await service.list(await findAccount(services, slug));
    const clients = found.map(({ id, name, scopes, createdAt, archivedAt }) => ({
      client_id: id,
      name,
      scope: scopes.join(' '),
      created_at: createdAt.toISOString(),
      revoked_at: archivedAt?.toISOString() ?? null,
    }));
    const cells = clients.map((row) => [
      row.client_id,
      row.name,
      row.revoked_at === null ? 'active' : 'revoked',
      row.scope,
    ]);
    context.output.print({ clients }, table(['CLIENT ID', 'NAME', 'STATE', 'SCOPE'], cells));
  });
}

async function rotateClient(context: CommandContext, clientId: string, overlap: number): Promise<void> {
  await withClients(context, async (clients) =>
    printCredentials(context, await clients.rotate(clientId, overlap)),
  );
}

async function revokeClient(context: CommandContext, clientId: string): Promise<void> {
  await withClients(context, async (clients) => {
    await clients.revoke(clientId);
    context.output.print({ client_id: clientId, revoked: true }, [`revoked ${clientId}`]);
  });
}

async function withClients(
  context: CommandContext,
  work: (clients: ApiClientsService, services: Services) => Promise<void>,
): Promise<void> {
  const management = await import('../management/index.js');
  await withServices(context, (services) =>
    work(services.get(management.ApiClientsService, { strict: false }), services),
  );
}

function printCredentials(context: CommandContext, { clientId, clientSecret }: ClientCredentials): void {
  context.output.print({ client_id: clientId, client_secret: clientSecret }, [
    `client_id: ${clientId}`,
    `client_secret: ${clientSecret}`,
  ]);
}

function readScopes(text: string): Scope[] {
  const parsed = parseScopes(text);
  if ('unknown' in parsed || parsed.scopes.length === 0) {
    throw new InvalidArgumentError(`Known scopes: ${SCOPES.join(' ')}.`);
  }
  return parsed.scopes;
}

function readOverlap(text: string): number {
  const seconds = /^\d{1,5}$/.test(text) ? Number(text) : NaN;
  if (seconds <= MOST_OVERLAP) return seconds;
  throw new InvalidArgumentError(`It must be a whole number of seconds, 0 to ${MOST_OVERLAP}.`);
}
