import { Command } from 'commander';
import type { CommandContext } from './command-context.js';

/** `start`: runs the server until a stop signal. */
export function startCommand(context: CommandContext): Command {
  return new Command('start')
    .description('start the server, as `fairlead-server` does')
    .action(() => start(context));
}

/** Never returns: a stop signal ends the process. @throws Error with advice when the service cannot start */
async function start({ settings, given }: CommandContext): Promise<never> {
  await import('../start/small-heap.js');
  await import('../telemetry/start.js');
  const { startServer } = await import('../start/server.js');
  await startServer(await settings(), { extensions: given });
  return new Promise<never>(() => undefined);
}
