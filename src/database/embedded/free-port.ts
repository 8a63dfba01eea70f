import { createServer } from 'node:net';

/**
 * Returns a TCP port of 127.0.0.1 that was free a moment ago.
 *
 * @param wanted the only one that will do. Default: any.
 * @throws a system error when it is not free
 */
export async function freePort(wanted = 0): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on('error', reject);
    server.listen({ host: '127.0.0.1', port: wanted, exclusive: true }, () => {
      const address = server.address();
      server.close(() => {
        if (address !== null && typeof address === 'object') resolve(address.port);
        else reject(new Error('The system gave no free port.'));
      });
    });
  });
}
