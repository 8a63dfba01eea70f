import { once } from 'node:events';
import { createServer } from 'node:http';
import type { Socket } from 'node:net';
import { LoopbackServer } from '../testing/loopback-server.js';
import { unsentBytes } from './unsent-bytes.js';

/** More than the system keeps of a connection that is not read. */
const LARGE = 64 * 1024 * 1024;

describe('the bytes that a socket has not sent', () => {
  it('become fewer while a client reads, before all of a write is sent', async () => {
    const server = createServer();
    const loopback = await LoopbackServer.start(server);
    const connected = once(server, 'connection') as Promise<[Socket]>;
    const client = loopback.connect();
    const [socket] = await connected;
    expect(unsentBytes(socket)).toBe(0);

    socket.write(Buffer.alloc(LARGE));
    socket.write(Buffer.alloc(LARGE));
    const unread = unsentBytes(socket);
    expect(unread).toBeGreaterThan(LARGE);
    expect(unread).toBeLessThanOrEqual(2 * LARGE);

    let left = LARGE / 4;
    client.on('data', ({ length }: Buffer) => {
      left -= length;
      if (left < 0) client.pause();
    });
    while (left >= 0) await once(client, 'data');
    expect(unsentBytes(socket)).toBeLessThan(unread);
    expect(socket.writableLength).toBe(2 * LARGE);

    socket.destroy();
    expect(unsentBytes(socket)).toBe(0);
    await loopback.stop();
  });
});
