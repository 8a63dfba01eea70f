import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { LoopbackServer } from '../../../test/units/loopback-server.js';
import { limitConnections } from './connection-limits.js';

let server: Server;
let loopback: LoopbackServer;

async function listen(limits: { total: number; perAddress: number }): Promise<void> {
  server = createServer((_request, response) => response.end('ok'));
  limitConnections(server, { ...limits, keepAlive: 65_000 });
  loopback = await LoopbackServer.start(server);
}

afterEach(() => loopback.stop());

/** Opens a connection and sends a request. @returns whether it is answered */
async function open(localAddress = '127.0.0.1'): Promise<{ socket: Socket; answered: boolean }> {
  const socket = loopback.connect({ localAddress });
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  const answered = await Promise.race([
    once(socket, 'data').then(() => true),
    new Promise<boolean>((resolve) => socket.once('close', () => resolve(false))),
  ]);
  return { socket, answered };
}

describe('The connections of a server', () => {
  it('from one address are limited, and those from others are not', async () => {
    await listen({ total: 100, perAddress: 2 });
    expect([await open(), await open(), await open()].map(({ answered }) => answered)).toEqual([
      true,
      true,
      false,
    ]);
    expect((await open('127.0.0.2')).answered).toBe(true);
  });

  it('make place for others when they end', async () => {
    await listen({ total: 100, perAddress: 1 });
    const { socket } = await open();
    expect((await open()).answered).toBe(false);
    const ended = once(socket, 'close');
    socket.destroy();
    await ended;
    let answered = false;
    while (!answered) ({ answered } = await open());
  });

  it('are limited in all', async () => {
    await listen({ total: 1, perAddress: 100 });
    expect((await open()).answered).toBe(true);
    expect((await open('127.0.0.2')).answered).toBe(false);
  });

  it('are cut when a client sends or reads nothing', async () => {
    await listen({ total: 1, perAddress: 1 });
    const { headersTimeout, requestTimeout, timeout, keepAliveTimeout } = server;
    expect(keepAliveTimeout).toBe(65_000);
    expect([headersTimeout, requestTimeout, timeout].every((limit) => limit > 0 && limit <= 60_000)).toBe(
      true,
    );
  });
});
