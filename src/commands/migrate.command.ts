import { Command } from 'commander';
import { openServiceDatabase } from '../service-database.js';
import type { CommandContext } from './command-context.js';

/** `migrate`: applies pending migrations. */
export function migrateCommand({ settings, print, ...context }: CommandContext): Command {
  return new Command('migrate').description('apply pending database migrations').action(async () => {
    const extensions = await context.extensions();
    const onWait = (message: string): void => console.error(message);
    const database = await openServiceDatabase(settings(), {
      extensions,
      poolSize: 2,
      migrate: true,
      onWait,
    });
    await database.close();
    const { applied } = database;
    print(
      { applied },
      applied.length > 0 ? applied.map((name) => `applied ${name}`) : ['the schema is up to date'],
    );
  });
}
