import type { CommandContext } from './command-context.js';
import { openCommandDatabase } from './open-command-database.js';

export async function migrate({ settings, print, note, ...context }: CommandContext): Promise<void> {
  const extensions = await context.extensions();
  const database = await openCommandDatabase(await settings(), { extensions, migrate: true, onWait: note });
  await database.close();
  const { applied } = database;
  print(
    { applied },
    applied.length > 0 ? applied.map((name) => `applied ${name}`) : ['the schema is up to date'],
  );
}
