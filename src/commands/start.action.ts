import '../start/small-heap.js';
import '../telemetry/start.js';
import { startServer } from '../start/server.js';
import type { CommandContext } from './command-context.js';

/** Never returns: a stop signal ends the process. @throws Error with advice when the service cannot start */
export async function start({ settings, given }: CommandContext): Promise<never> {
  await startServer(await settings(), { extensions: given });
  return new Promise<never>(() => undefined);
}
