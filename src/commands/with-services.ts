import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { AdminModule } from './admin.module.js';
import type { CommandContext } from './command-context.js';
import { openCommandDatabase } from './open-command-database.js';

/**
 * Runs a command with the application's services on a current schema, and disconnects.
 * @param options `poolSize`: most connections, where it needs more than a statement and a lock
 * @throws what the command throws, or Error when the database cannot be used
 */
export async function withServices<T>(
  context: CommandContext,
  work: (services: INestApplicationContext) => Promise<T>,
  { poolSize }: { readonly poolSize?: number } = {},
): Promise<T> {
  const extensions = await context.extensions();
  const settings = await context.settings();
  const database = await openCommandDatabase(settings, {
    extensions,
    ...(poolSize === undefined ? {} : { poolSize }),
  });
  try {
    const services = await NestFactory.createApplicationContext(
      AdminModule.forRoot(database.dataSource, { settings, extensions }),
      {
        logger: ['error', 'fatal'],
        abortOnError: false,
      },
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
