import type { IncomingMessage } from 'node:http';
import type { RequestHandler } from 'express';
import { Deadline } from '../database/index.js';

const deadlines = new WeakMap<IncomingMessage, Deadline>();

/**
 * Creates middleware that starts the clock of each request.
 * @param limit milliseconds in which a request is answered, the time apart in which its body is received
 */
export function startDeadline(limit: number): RequestHandler {
  return (request, _response, next) => {
    deadlines.set(request, new Deadline(limit));
    next();
  };
}

/** Returns when a request must be answered; undefined in an application without `startDeadline`. */
export function deadlineOf(request: IncomingMessage): Deadline | undefined {
  return deadlines.get(request);
}
