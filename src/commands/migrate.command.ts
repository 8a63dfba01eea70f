import { Command } from 'commander';
import { openDatabase } from '../database/open-database.js';
import { entitiesWith, migrationsWith } from '../entities.js';
import type { CommandContext } from './command-context.js';

/** `migrate`: applies pending migrations. */
export function migrateCommand({ settings, print, ...context }: CommandContext): Command {
  return new Command('migrate').description('apply pending database migrations').action(async () => {
    const { DATABASE_URL, DATA_DIR } = settings();
    const extensions = await context.extensions();
    const database = await openDatabase({
      url: DATABASE_URL,
      dataDir: DATA_DIR,
      poolSize: 2,
      migrate: true,
      entities: entitiesWith(extensions),
      migrations: migrationsWith(extensions),
    });
    await database.close();
    const { applied } = database;
    print(
      { applied },
      applied.length > 0 ? applied.map((name) => `applied ${name}`) : ['the schema is up to date'],
    );
  });
}
