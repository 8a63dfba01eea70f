import type { IncomingMessage } from 'node:http';
import type { RequestHandler } from 'express';
import { beforeHead } from './before-head.js';
import type { OwedAnswers } from './owed-answers.js';

/** Milliseconds for a client to stop sending a body that is too long, and to read the answer. */
const LINGER = 5_000;

/**
 * Middleware that bounds what is received of a body after the request is answered, such as with 401: at most
 * `limit` bytes are received and dropped, then the connection is cut. Node.js alone drops any number. Within
 * the bound the client can read the answer, and use the connection again. The answer to a body that may be
 * longer says `Connection: close`: the next request over the connection would be lost.
 */
export function unreadBody(answers: OwedAnswers, limit: number): RequestHandler {
  return (request, response, next) => {
    if (hasBody(request)) {
      beforeHead(response, () => {
        if (!mayExceed(request, limit)) return;
        answers.endBehind(response);
        linger(request);
      });
      response.once('prefinish', () => drop(request, limit));
    }
    next();
  };
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length']) > 0;
}

/** Whether more than the limit may be left of the body. */
function mayExceed({ complete, headers }: IncomingMessage, limit: number): boolean {
  const declared = headers['content-length'];
  return !complete && (declared === undefined || Number(declared) > limit);
}

/**
 * Makes the connection stay open for what is dropped of the body, where Node.js closes it behind the answer:
 * the system of a client discards the answer when bytes are sent to a closed connection.
 */
function linger(request: IncomingMessage): void {
  const { socket } = request;
  const destroySoon = socket.destroySoon.bind(socket);
  socket.destroySoon = () => {
    if (request.complete || socket.destroyed) {
      destroySoon();
      return;
    }
    socket.end();
    const timer = setTimeout(() => socket.destroy(), LINGER).unref();
    request.once('close', () => {
      clearTimeout(timer);
      destroySoon();
    });
  };
}

function drop(request: IncomingMessage, limit: number): void {
  if (request.complete) return;
  let left = limit;
  request.on('data', (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) request.socket.destroy();
  });
  request.resume();
}
