import type { RequestHandler } from 'express';
import type { Socket } from 'node:net';
import { whenSent } from './when-closed.js';

/** Bytes of an answer that are not counted: about as many as the buffers of a connection hold anyway. */
const UNCOUNTED = 128 * 1024;

/** Milliseconds that a client has for reading before its connection may be cut. */
const GRACE = 2_000;

interface Unread {
  readonly socket: Socket;
  readonly bytes: number;
  readonly since: number;
}

/**
 * Middleware that bounds the memory of large answers that clients have not read yet: beyond `most` bytes in
 * all, the connections that have read for longest are cut, though none before it had two seconds.
 */
export function unreadAnswers(most: number): RequestHandler {
  /** The oldest first. */
  const answers = new Set<Unread>();
  let total = 0;
  let timer: NodeJS.Timeout | undefined;

  const forget = (answer: Unread): void => {
    if (answers.delete(answer)) total -= answer.bytes;
  };
  const cut = (): void => {
    timer = undefined;
    for (const answer of answers) {
      if (total <= most) return;
      const left = answer.since + GRACE - performance.now();
      if (left > 0) {
        timer = setTimeout(cut, left).unref();
        return;
      }
      forget(answer);
      answer.socket.destroy();
    }
  };
  return (request, response, next) => {
    response.once('prefinish', () => {
      const bytes = response.writableLength;
      if (bytes <= UNCOUNTED) return;
      const answer = { socket: request.socket, bytes, since: performance.now() };
      answers.add(answer);
      total += bytes;
      whenSent(request, response, () => forget(answer));
      if (total > most && timer === undefined) cut();
    });
    next();
  };
}
