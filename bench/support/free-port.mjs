// A port for a server that is about to start.
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Returns a TCP port of 127.0.0.1 that was free a moment ago. */
export async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}
