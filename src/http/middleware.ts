import type { IncomingMessage } from 'node:http';
import type { RequestHandler } from 'express';
import { Deadline } from '../database/index.js';
import { invalid } from '../errors/errors.js';
import { endBehind } from './connection/owed-answers.js';

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

/**
 * Middleware that refuses heads of which a proxy may have another opinion than this server: more than one
 * Host (RFC 9112 section 3.2), and a transfer encoding other than `chunked`, which would not be decoded.
 * Throws 400.
 */
export const soundHead: RequestHandler = (request, response, next) => {
  const encoding = request.headers['transfer-encoding'];
  const problem =
    headerValues(request, 'host').length > 1
      ? 'The Host header must be sent once'
      : encoding !== undefined && encoding.toLowerCase() !== 'chunked'
        ? 'The Transfer-Encoding must be chunked'
        : undefined;
  if (problem === undefined) {
    next();
    return;
  }
  endBehind(response);
  next(invalid([{ message: problem }]));
};

/**
 * Returns all values of a header, in the order in which they were sent. Of a header that may be sent once,
 * `headers` has only the first.
 * @param name in lower case
 */
export function headerValues({ rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>, name: string): string[] {
  const values: string[] = [];
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const each = rawHeaders[index] ?? '';
    // Most names have another length, so that few have to be written in lower case.
    if (each.length === name.length && each.toLowerCase() === name) values.push(rawHeaders[index + 1] ?? '');
  }
  return values;
}

/**
 * Middleware that makes every path decodable: in a path that does not decode, such as /contacts/%E0%A4%A,
 * each `%` becomes `%25`. The request then reaches its route, which checks the token and answers 404 as for
 * any unknown id. Express would answer 400 before the route.
 */
export const decodablePath: RequestHandler = (request, _response, next) => {
  if (!isDecodable(request.url)) {
    const [path = '', ...query] = request.url.split('?');
    request.url = [path.replaceAll('%', '%25'), ...query].join('?');
  }
  next();
};

/** Whether the path of a target decodes. */
export function isDecodable(target: string): boolean {
  if (!target.includes('%')) return true;
  const [path = ''] = target.split('?', 1);
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}
