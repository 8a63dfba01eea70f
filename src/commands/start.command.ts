import { Command } from 'commander';
import type { CommandContext } from './command-context.js';

/** `start`: runs the server until a stop signal. Fails with advice when the service cannot start. */
export function startCommand({ settings, given }: CommandContext): Command {
  return new Command('start').description('start the server, as `fairlead-server` does').action(async () => {
    await import('../start/small-heap.js');
    await import('../telemetry/start.js');
    const { startServer } = await import('../start/server.js');
    await startServer(await settings(), { extensions: given });
    // A stop signal ends the process.
    return new Promise<never>(() => undefined);
  });
}
