import type { Request, RequestHandler } from 'express';

/**
 * Middleware that bounds what is received of a body after the request is answered, such as with 401: at most
 * `limit` bytes are received and dropped, then the connection is cut. Node.js alone drops any number. Within
 * the bound the client can read the answer, and use the connection again.
 */
export function unreadBody(limit: number): RequestHandler {
  return (request, response, next) => {
    if (hasBody(request)) response.once('prefinish', () => drop(request, limit));
    next();
  };
}

function hasBody({ headers }: Request): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length']) > 0;
}

function drop(request: Request, limit: number): void {
  if (request.complete) return;
  let left = limit;
  request.on('data', (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) request.socket.destroy();
  });
  request.resume();
}
