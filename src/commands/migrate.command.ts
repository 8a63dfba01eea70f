import { Command } from 'commander';
import type { CommandContext } from './command-context.js';

/** `migrate`: applies pending migrations. */
export function migrateCommand(context: CommandContext): Command {
  return new Command('migrate').description('apply pending database migrations').action(async () => {
    const { migrate } = await import('./migrate.action.js');
    await migrate(context);
  });
}
