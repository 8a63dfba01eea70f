import type { Socket } from 'node:net';
import type { Request, Response } from 'express';

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
