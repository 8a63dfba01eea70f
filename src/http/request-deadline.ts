import type { IncomingMessage } from 'node:http';
import type { RequestHandler } from 'express';
import { Deadline } from '../database/index.js';

/** A WeakMap that lives long would keep all deadlines until the old generation is collected (ADR 7). */
const DEADLINE = Symbol('deadline');

interface Timed {
  [DEADLINE]?: Deadline;
}

/**
 * Creates middleware that starts the clock of each request.
 * @param limit milliseconds in which a request is answered, the time apart in which its body is received
 */
export function startDeadline(limit: number): RequestHandler {
  return (request, _response, next) => {
    (request as Timed)[DEADLINE] = new Deadline(limit);
    next();
  };
}

/** Returns when a request must be answered; undefined in an application without `startDeadline`. */
export function deadlineOf(request: IncomingMessage): Deadline | undefined {
  return (request as Timed)[DEADLINE];
}
