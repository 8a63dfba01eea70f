import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { RequestHandler, Response } from 'express';
import { endBehind, owedOn } from './owed-answers.js';

/** Bytes of an answer that a connection may leave unread without being watched. */
const UNWATCHED = 16 * 1024;

/** Milliseconds between two looks at the watched connections. */
const INTERVAL_MS = 50;

/** Milliseconds for a client to stop sending a body that is too long, and to read the answer. */
const LINGER_MS = 5_000;

/**
 * Creates middleware that bounds the memory of answers that clients have not read yet: beyond it, the oldest
 * of their connections are cut.
 * @param most bytes, all connections together
 */
export function unreadAnswers(most: number): RequestHandler {
  /** The oldest first. */
  const watched = new Set<Socket>();
  let timer: NodeJS.Timeout | undefined;

  const look = (): void => {
    for (const socket of watched) if (unreadOn(socket) === 0) watched.delete(socket);
    let total = [...watched].reduce((sum, socket) => sum + unreadOn(socket), 0);
    for (const socket of watched) {
      if (total <= most) break;
      total -= unreadOn(socket);
      socket.destroy();
    }
    if (watched.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
  return ({ socket }, response, next) => {
    response.once('prefinish', () => {
      if (socket.writableLength <= UNWATCHED) return;
      // An answer that waits for no other one is new.
      if (owedOn(socket).size <= 1) watched.delete(socket);
      watched.add(socket);
      timer ??= setInterval(look, INTERVAL_MS).unref();
    });
    next();
  };
}

/** Bytes of answers that the process holds for a connection. Those that wait for another have no socket. */
function unreadOn(socket: Socket): number {
  if (socket.destroyed) return 0;
  const waiting = [...owedOn(socket)].filter((answer) => answer.socket === null);
  return waiting.reduce((sum, answer) => sum + answer.writableLength, socket.writableLength);
}

/**
 * Creates middleware that bounds what is received of a body after the request is answered: at most `limit`
 * bytes are received and dropped, then the connection is cut. Node.js alone drops any number.
 */
export function unreadBody(limit: number): RequestHandler {
  return (request, response, next) => {
    if (hasBody(request)) response.once('prefinish', () => drop(request, limit));
    next();
  };
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length']) > 0;
}

/** Receives the rest of a body without keeping it, and cuts the connection beyond the limit. */
function drop(request: IncomingMessage, limit: number): void {
  if (request.complete) return;
  let left = limit;
  request.on('data', (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) request.socket.destroy();
  });
  request.resume();
}

/**
 * Answers with JSON. Where more than the limit may be left of the body of the request, the answer says
 * `Connection: close`, since the next request over the connection would be lost, and it ends when the client
 * stops sending, or is cut after 5 s: the system of a client discards an answer when bytes are sent to a
 * closed connection.
 */
export function sendBesideBody(response: Response, body: object, limit: number): void {
  const { req: request } = response;
  if (!mayExceed(request, limit)) {
    response.json(body);
    return;
  }
  endBehind(response);
  const text = Buffer.from(JSON.stringify(body));
  response.type('json').set('Content-Length', String(text.length)).write(text);
  const timer = setTimeout(() => request.socket.destroy(), LINGER_MS).unref();
  request.once('close', () => {
    clearTimeout(timer);
    response.end();
  });
  drop(request, limit);
}

/** Whether more than the limit may be left of a body. */
function mayExceed(request: IncomingMessage, limit: number): boolean {
  const { 'content-length': declared = Infinity } = request.headers;
  return hasBody(request) && !request.complete && Number(declared) > limit;
}
