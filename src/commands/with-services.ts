import type { INestApplicationContext } from '@nestjs/common';
import type { AccountContext, AccountEntity, AccountsRepository } from '../accounts/index.js';
import type { ClientContext } from '../auth/index.js';
import type { EntityReader } from '../database/index.js';
import type { Settings } from '../settings/settings.js';
import type { ServiceDatabaseOptions } from '../start/service-database.js';
import type { CommandContext } from './command-context.js';

/** Services of the application. */
export type Services = INestApplicationContext;

/**
 * Runs a command with the application's services on a current schema, and disconnects. The service is loaded
 * here, so that `--help` does not wait for it.
 * @param options `poolSize`: most connections, where it needs more than a statement and a lock
 * @throws what the command throws, or Error when the database cannot be used
 */
export async function withServices<T>(
  context: CommandContext,
  work: (services: Services) => Promise<T>,
  options: { readonly poolSize?: number } = {},
): Promise<T> {
  const { NestFactory } = await import('@nestjs/core');
  const { AdminModule } = await import('./admin.module.js');
  const extensions = await context.extensions();
  const settings = await context.settings();
  const database = await openCommandDatabase(settings, { extensions, ...options });
  try {
    const services = await NestFactory.createApplicationContext(
      AdminModule.forRoot(database.dataSource, { settings, extensions }),
      { logger: ['error', 'fatal'], abortOnError: false },
    );
    try {
      return await work(services);
    } finally {
      await services.close();
    }
  } finally {
    await database.close();
  }
}

/** Connections that a command needs: one for its statements and one for a lock at the same time. */
const POOL_SIZE = 2;

/**
 * Opens the database for a command. An embedded one that is made for it stays fresh for the first server.
 * @throws Error with advice when the database, its schema or DATA_DIR cannot be used
 */
export async function openCommandDatabase(settings: Settings, options: ServiceDatabaseOptions) {
  const { noteUnserved, openServiceDatabase } = await import('../start/service-database.js');
  const database = await openServiceDatabase(settings, { poolSize: POOL_SIZE, ...options });
  if (database.fresh) await noteUnserved(settings.DATA_DIR);
  return database;
}

async function readAccounts<T>(
  services: Services,
  read: (accounts: AccountsRepository, db: EntityReader) => Promise<T>,
): Promise<T> {
  const { AccountsRepository } = await import('../accounts/index.js');
  const { Database } = await import('../database/index.js');
  const accounts = services.get(AccountsRepository, { strict: false });
  return services.get(Database).read((db) => read(accounts, db));
}

/** Returns all accounts, by slug. */
export function listAccounts(services: Services): Promise<AccountEntity[]> {
  return readAccounts(services, (accounts, db) => accounts.list(db));
}

/** Returns the account with that slug. @throws Error that names the slug when there is none */
export async function findAccount(services: Services, slug: string): Promise<AccountContext> {
  const found = await readAccounts(services, (accounts, db) => accounts.findBySlug(db, slug));
  if (found === null) throw new Error(`There is no account ${slug}`);
  return { accountId: found.id };
}

/** Returns the context of an import or an export of records of the account with that slug. */
export async function findImporter(services: Services, slug: string): Promise<ClientContext> {
  const { IMPORT_CLIENT } = await import('../records/index.js');
  return {
    ...(await findAccount(services, slug)),
    clientId: IMPORT_CLIENT,
    scopes: new Set(['records:read', 'records:write', 'dispatch']),
  };
}
