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

/** Bytes that clients may cost without reading, or with what nobody reads. */
interface UnreadBounds {
  /** Of answers that clients have not read yet, all connections together: the oldest are cut beyond. */
  readonly answers: number;
  /** Of a body, received and dropped after its request is answered. Node.js alone drops any number. */
  readonly body: number;
}

/** Creates middleware that bounds what is not read: the memory of answers, and the rest of bodies. */
export function boundUnread({ answers, body }: UnreadBounds): RequestHandler {
  /** The oldest first. */
  const watched = new Set<Socket>();
  let timer: NodeJS.Timeout | undefined;

  const look = (): void => {
    for (const socket of watched) if (unreadOn(socket) === 0) watched.delete(socket);
    let total = [...watched].reduce((sum, socket) => sum + unreadOn(socket), 0);
    for (const socket of watched) {
      if (total <= answers) break;
      total -= unreadOn(socket);
      socket.destroy();
    }
    if (watched.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
  return (request, response, next) => {
    const { socket } = request;
    response.once('prefinish', () => {
      if (hasBody(request)) drop(request, body);
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
