import type { Socket } from 'node:net';
import type { RequestHandler } from 'express';

/**
 * Most requests of one connection that wait for their answers. Clients that send requests ahead of the
 * answers have a few, if they do so at all.
 */
const MOST_WAITING = 100;

/**
 * Creates middleware that cuts a connection on which more requests wait for their answers than that. Node.js
 * reads all requests of a segment, some 1,800 in 64 KiB, before it serves any other connection.
 */
export function boundedPipeline(most = MOST_WAITING): RequestHandler {
  const waiting = new WeakMap<Socket, number>();
  return ({ socket }, response, next) => {
    // The connection is cut, and nobody would get an answer.
    if (socket.destroyed) return;
    const count = (waiting.get(socket) ?? 0) + 1;
    if (count > most) {
      socket.destroy();
      return;
    }
    waiting.set(socket, count);
    response.once('close', () => waiting.set(socket, (waiting.get(socket) ?? 1) - 1));
    next();
  };
}
