import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

type Exchange = [request: IncomingMessage, response: ServerResponse];

/**
 * Handles the requests of one connection one after the other, each in another turn of the event loop. A
 * client may send very many requests without waiting for answers. Node.js would begin all that arrive
 * together at once, and other connections would wait for all of them.
 */
export function oneAtATime(handle: RequestListener): RequestListener {
  /** Requests that wait, by connection; an entry for each connection with a request in progress. */
  const waiting = new WeakMap<Socket, Exchange[]>();

  const begin = ([request, response]: Exchange): void => {
    response.once('close', () => next(request.socket));
    handle(request, response);
  };
  const next = (socket: Socket): void => {
    const exchange = waiting.get(socket)?.shift();
    if (exchange === undefined || socket.destroyed) waiting.delete(socket);
    else setImmediate(begin, exchange);
  };
  return (request, response) => {
    const queue = waiting.get(request.socket);
    if (queue !== undefined) {
      queue.push([request, response]);
      return;
    }
    waiting.set(request.socket, []);
    begin([request, response]);
  };
}
