import type { INestApplicationContext } from '@nestjs/common';
import { Command, InvalidArgumentError } from 'commander';
import { parseScopes, SCOPES, type Scope } from '../auth/index.js';
import { ApiClientsService, MOST_OVERLAP, type ClientCredentials } from '../management/index.js';
import type { CommandContext } from './command-context.js';
import { findAccount } from './find-account.js';
import { table } from './printer.js';
import { withServices } from './with-services.js';

interface CreateOptions {
  readonly account: string;
  readonly name: string;
  readonly scope?: Scope[];
}

/** `client create | list | rotate | revoke`: manages API clients. */
export function clientCommand(context: CommandContext): Command {
  const printCredentials = ({ clientId, clientSecret }: ClientCredentials): void =>
    context.print({ client_id: clientId, client_secret: clientSecret }, [
      `client_id: ${clientId}`,
      `client_secret: ${clientSecret}`,
    ]);

  const create = new Command('create')
    .description('create an API client; its secret is printed this once')
    .requiredOption('--account <slug>', 'the account it acts for')
    .requiredOption('--name <name>', 'what to call it, in 1 to 200 characters')
    .option(
      '--scope <scopes>',
      `space-separated: ${SCOPES.join(' ')} (all but availability and manage unless given)`,
      readScopes,
    )
    .action(({ account, name, scope }: CreateOptions) =>
      withServices(context, async (services) =>
        printCredentials(await clients(services).create(await findAccount(services, account), name, scope)),
      ),
    );

  const list = new Command('list')
    .description("list an account's API clients")
    .requiredOption('--account <slug>', 'the account')
    .action(({ account }: { account: string }) =>
      withServices(context, async (services) => {
        const found = await clients(services).list(await findAccount(services, account));
        const rows = found.map(({ id, name, scopes, createdAt, revokedAt }) => ({
          client_id: id,
          name,
          scope: scopes.join(' '),
          created_at: createdAt.toISOString(),
          revoked_at: revokedAt?.toISOString() ?? null,
        }));
        const cells = rows.map((row) => [
          row.client_id,
          row.name,
          row.revoked_at === null ? 'active' : 'revoked',
          row.scope,
        ]);
        context.print({ clients: rows }, table(['CLIENT ID', 'NAME', 'STATE', 'SCOPE'], cells));
      }),
    );

  const rotate = new Command('rotate')
    .description('give a client a new secret')
    .argument('<client_id>')
    .option(
      '--overlap <seconds>',
      `for which the old secret works on, at most ${MOST_OVERLAP}`,
      readOverlap,
      0,
    )
    .action((clientId: string, { overlap }: { overlap: number }) =>
      withServices(context, async (services) =>
        printCredentials(await clients(services).rotate(clientId, overlap)),
      ),
    );

  const revoke = new Command('revoke')
    .description('end a client; its tokens stop working within seconds')
    .argument('<client_id>')
    .action((clientId: string) =>
      withServices(context, async (services) => {
        await clients(services).revoke(clientId);
        context.print({ client_id: clientId, revoked: true }, [`revoked ${clientId}`]);
      }),
    );

  const command = new Command('client').description('API clients');
  return [create, list, rotate, revoke].reduce((parent, child) => parent.addCommand(child), command);
}

function clients(services: INestApplicationContext): ApiClientsService {
  return services.get(ApiClientsService, { strict: false });
}

function readOverlap(text: string): number {
  const seconds = /^\d{1,5}$/.test(text) ? Number(text) : NaN;
  if (!(seconds <= MOST_OVERLAP))
    throw new InvalidArgumentError(`It must be a whole number of seconds, 0 to ${MOST_OVERLAP}.`);
  return seconds;
}

function readScopes(text: string): Scope[] {
  const parsed = parseScopes(text);
  if ('unknown' in parsed || parsed.scopes.length === 0) {
    throw new InvalidArgumentError(`Known scopes: ${SCOPES.join(' ')}.`);
  }
  return parsed.scopes;
}
