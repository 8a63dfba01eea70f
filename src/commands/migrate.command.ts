import { Command } from 'commander';
import type { CommandContext } from './command-context.js';
import { openCommandDatabase } from './with-services.js';

/** `migrate`: applies pending migrations. */
export function migrateCommand(context: CommandContext): Command {
  return new Command('migrate')
    .description('apply pending database migrations')
    .action(() => migrate(context));
}

async function migrate({ extensions, settings, output }: CommandContext): Promise<void> {
  const options = {
    extensions: await extensions(),
    migrate: true,
    onWait: (line: string) => output.note(line),
  };
  const database = await openCommandDatabase(await settings(), options);
  await database.close();
  const { applied } = database;
  const lines = applied.map((name) => `applied ${name}`);
  output.print({ applied }, lines.length > 0 ? lines : ['the schema is up to date']);
}
