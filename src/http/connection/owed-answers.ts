import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Request, RequestHandler, Response } from 'express';

/**
 * Most requests of one connection that wait for their answers. Clients that send requests ahead of the
 * answers have a few, if they do so at all.
 */
const MOST_WAITING = 100;

const NONE: ReadonlySet<ServerResponse> = new Set();
const owed = new WeakMap<Duplex, Set<ServerResponse>>();
const ending = new WeakSet<Duplex>();
const counted = new WeakSet<Server>();

/** Counts the answers that a server owes, from the first call on, which must come before `listen`. */
export function countOwedAnswers(server: Server): void {
  if (counted.has(server)) return;
  counted.add(server);
  // It comes before the application, which asks for the answers of its own connection.
  server.prependListener('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    const answers = owed.get(socket);
    if (answers === undefined) owed.set(socket, new Set([response]));
    else answers.add(response);
    response.once('close', () => owed.get(socket)?.delete(response));
  });
}

/** The answers owed on a connection: those of the requests whose heads have come, in their order. */
export const owedOn = (socket: Duplex): ReadonlySet<ServerResponse> => owed.get(socket) ?? NONE;

/** Makes an answer whose head is not written say `Connection: close`. Nothing behind it is served. */
export function endBehind(response: ServerResponse): void {
  response.shouldKeepAlive = false;
  ending.add(response.req.socket);
}

/** Whether an answer has said, or will say, that the connection ends behind it. */
export function isEnding(socket: Duplex): boolean {
  if (ending.has(socket) || socket.writableEnded) return true;
  for (const answer of owedOn(socket)) if (answer.headersSent && !answer.shouldKeepAlive) return true;
  return false;
}

/**
 * Creates middleware that cuts a connection on which more requests wait for their answers than that. Node.js
 * reads all requests of a segment, some 1,800 in 64 KiB, before it serves any other connection. What comes
 * behind an answer that ends its connection is not served: its client would not learn what became of it.
 */
export function boundedPipeline(most = MOST_WAITING): RequestHandler {
  return ({ socket }, _response, next) => {
    if (socket.destroyed || isEnding(socket)) return;
    if (owedOn(socket).size > most) socket.destroy();
    else next();
  };
}

/** What is to be done when a connection is closed: one listener for all of its requests. */
const closings = new WeakMap<Socket, Set<() => void>>();

/**
 * Calls a function when a connection is closed, at once where it is closed already. A response says so only
 * while it is the first of its connection: those behind it, of pipelined requests, emit no event.
 * @returns forgets the function
 */
export function whenClosed(socket: Socket, act: () => void): () => void {
  if (socket.destroyed) {
    act();
    return () => undefined;
  }
  let all = closings.get(socket);
  if (all === undefined) {
    const made = new Set<() => void>();
    socket.once('close', () => made.forEach((each) => each()));
    closings.set(socket, made);
    all = made;
  }
  all.add(act);
  return () => all.delete(act);
}

/** Calls a function when an answer is written, though it may not be sent yet, or its connection is closed. */
export const whenAnswered = onceOver('prefinish');

/** Calls a function when an answer is sent, or its connection is closed. */
export const whenSent = onceOver('close');

function onceOver(event: 'prefinish' | 'close') {
  return ({ socket }: Pick<Request, 'socket'>, response: Response, act: () => void): void => {
    let forget = (): unknown => undefined;
    const end = (): void => {
      forget();
      response.removeListener(event, end);
      act();
    };
    response.once(event, end);
    forget = whenClosed(socket, end);
  };
}
