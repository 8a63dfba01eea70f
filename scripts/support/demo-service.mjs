// Starts the built service with its demo account, on an embedded database that is gone when this process ends.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { newFolder, run, stop } from './programs.mjs';
import { demoServer } from './tour.mjs';

const MAIN = fileURLToPath(new URL('../../dist/src/main.js', import.meta.url));

/** @returns the address of the service, the credentials of its client, and a function that stops it */
export async function startDemoService() {
  const cwd = newFolder('demo');
  const env = { DATA_DIR: join(cwd, 'data'), HOST: '127.0.0.1', PORT: '0', DRAIN_SECONDS: '0' };
  // It may run for longer than other programs.
  const server = run(process.execPath, [MAIN], { cwd, env, timeout: 0 });
  const { address: url, credentials } = await demoServer(server);
  const { client_id: clientId, client_secret: clientSecret } = credentials;
  return { url, clientId, clientSecret, stop: () => stop(server) };
}
