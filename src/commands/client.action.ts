import type { INestApplicationContext } from '@nestjs/common';
import type { Scope } from '../auth/index.js';
import { ApiClientsService, type ClientCredentials } from '../management/index.js';
import type { CommandContext } from './command-context.js';
import { findAccount } from './find-account.js';
import { table } from './printer.js';
import { withServices } from './with-services.js';

export interface NewClient {
  /** Slug of the account. */
  readonly account: string;
  readonly name: string;
  readonly scope?: Scope[];
}

export async function createClient(
  context: CommandContext,
  { account, name, scope }: NewClient,
): Promise<void> {
  await withServices(context, async (services) =>
    printCredentials(
      context,
      await clients(services).create(await findAccount(services, account), name, scope),
    ),
  );
}

/** @param slug of the account */
export async function listClients(context: CommandContext, slug: string): Promise<void> {
  await withServices(context, async (services) => {
    const found = await clients(services).list(await findAccount(services, slug));
    const rows = found.map(({ id, name, scopes, createdAt, archivedAt }) => ({
      client_id: id,
      name,
      scope: scopes.join(' '),
      created_at: createdAt.toISOString(),
      revoked_at: archivedAt?.toISOString() ?? null,
    }));
    const cells = rows.map((row) => [
      row.client_id,
      row.name,
      row.revoked_at === null ? 'active' : 'revoked',
      row.scope,
    ]);
    context.print({ clients: rows }, table(['CLIENT ID', 'NAME', 'STATE', 'SCOPE'], cells));
  });
}

/** @param overlap seconds for which the old secret works on */
export async function rotateClient(
  context: CommandContext,
  clientId: string,
  overlap: number,
): Promise<void> {
  await withServices(context, async (services) =>
    printCredentials(context, await clients(services).rotate(clientId, overlap)),
  );
}

export async function revokeClient(context: CommandContext, clientId: string): Promise<void> {
  await withServices(context, async (services) => {
    await clients(services).revoke(clientId);
    context.print({ client_id: clientId, revoked: true }, [`revoked ${clientId}`]);
  });
}

function printCredentials(context: CommandContext, { clientId, clientSecret }: ClientCredentials): void {
  context.print({ client_id: clientId, client_secret: clientSecret }, [
    `client_id: ${clientId}`,
    `client_secret: ${clientSecret}`,
  ]);
}

function clients(services: INestApplicationContext): ApiClientsService {
  return services.get(ApiClientsService, { strict: false });
}
