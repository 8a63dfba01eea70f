import { Command } from 'commander';
import type { CommandContext } from './command-context.js';

/** `start`: runs the server until a stop signal. */
export function startCommand(context: CommandContext): Command {
  return new Command('start').description('start the server, as `fairlead-server` does').action(async () => {
    const { start } = await import('./start.action.js');
    await start(context);
  });
}
