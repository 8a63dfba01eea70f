import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Request, Response } from 'express';
import { LoopbackServer } from '../testing/loopback-server.js';
import { unreadAnswers } from './unread-answers.js';

/** More than the system keeps of a connection that is not read. */
const LARGE = 16 * 1024 * 1024;

let server: Server;
let loopback: LoopbackServer;

beforeEach(async () => {
  const middleware = unreadAnswers(2.5 * LARGE);
  const body = Buffer.alloc(LARGE);
  server = createServer((request, response) => {
    void middleware(request as Request, response as Response, () => response.end(body));
  });
  loopback = await LoopbackServer.start(server);
});
afterEach(() => loopback.stop());

/** Asks for a large answer. @returns the connection at the server */
async function ask({ reads }: { readonly reads: boolean }): Promise<Socket> {
  const socket = loopback.connect();
  const connected = once(server, 'connection') as Promise<[Socket]>;
  const [accepted] = await connected;
  const asked = once(server, 'request');
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  if (reads) socket.resume();
  await asked;
  return accepted;
}

describe('Answers that clients do not read', () => {
  it('are cut beyond a bound, the oldest first, and no others', async () => {
    const oldest = await ask({ reads: false });
    const closed = once(oldest, 'close');
    const reader = await ask({ reads: true });
    const others = [await ask({ reads: false }), await ask({ reads: false })];
    await closed;
    expect(reader.destroyed).toBe(false);
    expect(others.map(({ destroyed }) => destroyed)).toEqual([false, false]);
  });
});
