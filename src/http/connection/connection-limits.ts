import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { clientNetwork } from './client-network.js';

/** Milliseconds in which a client must send the head of a request. */
const HEAD_TIMEOUT = 15_000;

/** Milliseconds in which a client must send a whole request. */
const REQUEST_TIMEOUT = 60_000;

/**
 * Milliseconds after which a connection is cut on which nothing moves, also when a client does not read. It
 * is longer than any answer takes.
 */
const SILENCE = 60_000;

/** Milliseconds between two checks of the timeouts of requests. */
export const CHECK_INTERVAL = 5_000;

/** Most connections of a server. A connection beyond is closed at once. */
export interface ConnectionLimits {
  readonly total: number;
  /** From one address, or one IPv6 network. Behind a proxy every connection has that of the proxy. */
  readonly perAddress: number;
  /** Milliseconds for which a connection is kept open between requests. */
  readonly keepAlive: number;
}

/** Bounds the connections of a server, in number and in time, so that slow and silent clients cost little. */
export function limitConnections(server: Server, { total, perAddress, keepAlive }: ConnectionLimits): void {
  server.headersTimeout = HEAD_TIMEOUT;
  server.requestTimeout = REQUEST_TIMEOUT;
  server.timeout = SILENCE;
  server.maxConnections = total;
  server.keepAliveTimeout = keepAlive;
  const open = new Map<string, number>();
  server.on('connection', (socket: Socket) => {
    const address = clientNetwork(socket.remoteAddress ?? '');
    const count = (open.get(address) ?? 0) + 1;
    if (count > perAddress) {
      socket.destroy();
      return;
    }
    open.set(address, count);
    socket.once('close', () => {
      const left = (open.get(address) ?? 0) - 1;
      if (left > 0) open.set(address, left);
      else open.delete(address);
    });
  });
}
