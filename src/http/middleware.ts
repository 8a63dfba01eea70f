import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Request, RequestHandler, Response } from 'express';
import type { Logger } from 'pino';
import { Deadline, newId } from '../database/index.js';
import { invalid } from '../errors/errors.js';
import { endBehind, whenSent } from './connection/owed-answers.js';
import type { RequestMetrics } from './request-metrics.js';
import { createParamDecorator, type ArgumentsHost, type ExecutionContext } from '@nestjs/common';

/** A WeakMap that lives long would keep all deadlines until the old generation is collected (ADR 7). */
const DEADLINE = Symbol('deadline');

interface Timed {
  [DEADLINE]?: Deadline;
}

/** What the guard of a route puts on a request, or a host in its own way. */
interface Called {
  readonly baseUrl: string;
  readonly user?: { readonly clientId?: unknown; readonly accountId?: unknown; readonly member?: unknown };
  readonly route?: { readonly path?: unknown };
}

interface StartOptions {
  /** Milliseconds in which a request is answered, the time apart in which its body is received. */
  readonly limit: number;
  readonly logger: Logger;
  /** Undefined where nothing is measured. */
  readonly metrics: RequestMetrics | undefined;
}

/**
 * Creates middleware that starts the clock of each request, assigns its id, and logs one line when it is
 * answered or aborted. The line has method, path, status and duration in milliseconds, the pattern of the
 * route that matched, and account and client or member of who is known; headers, query and body are not
 * logged. pino-http does the same with two child loggers, which cost 30 µs more for each request.
 */
export function startRequests({ limit, logger, metrics }: StartOptions): RequestHandler {
  return (request, response, next) => {
    const started = performance.now();
    (request as Timed)[DEADLINE] = new Deadline(limit);
    const id = assignRequestId(request, response);
    const { method, originalUrl } = request;
    whenSent(request, response, () => {
      // The status is not final until the headers are sent.
      const status = response.headersSent ? response.statusCode : null;
      const duration = performance.now() - started;
      const { baseUrl, route: matched, user } = request as unknown as Called;
      const route = typeof matched?.path === 'string' ? baseUrl + matched.path : undefined;
      metrics?.note({ method, route, status, seconds: duration / 1000 });
      const line = {
        request_id: id,
        req: { method, path: originalUrl.split('?', 1)[0] },
        res: { status },
        duration_ms: Math.round(duration),
        // What is undefined is not logged.
        route,
        client_id: user?.member === undefined ? user?.clientId : undefined,
        member_id: user?.member === undefined ? undefined : user.clientId,
        account_id: user?.accountId,
      };
      if (request.errored !== null || !response.writableFinished) logger.info(line, 'request aborted');
      else if (response.statusCode >= 500 && response.statusCode !== 503)
        logger.error(line, 'request failed');
      else logger.info(line, 'request');
    });
    next();
  };
}

/** Returns when a request must be answered; undefined in an application without `startRequests`. */
export function deadlineOf(request: IncomingMessage): Deadline | undefined {
  return (request as Timed)[DEADLINE];
}

/**
 * Middleware that refuses heads of which a proxy may have another opinion than this server: more than one
 * Host (RFC 9112 section 3.2), and a transfer encoding other than `chunked`, which would not be decoded.
 * Throws 400. In a path that does not decode, such as /contacts/%E0%A4%A, each `%` becomes `%25`: the request
 * then reaches its route, which checks the token and answers 404 as for any unknown id, where Express would
 * answer 400 before the route.
 */
export const soundHead: RequestHandler = (request, response, next) => {
  const problem = problemOfHead(request);
  if (problem !== undefined) {
    endBehind(response);
    next(invalid([{ message: problem }]));
    return;
  }
  if (!isDecodable(request.url)) {
    const [path = '', ...query] = request.url.split('?');
    request.url = [path.replaceAll('%', '%25'), ...query].join('?');
  }
  next();
};

function problemOfHead(request: Request): string | undefined {
  const encoding = request.headers['transfer-encoding'];
  if (headerValues(request, 'host').length > 1) return 'The Host header must be sent once';
  if (encoding === undefined || encoding.toLowerCase() === 'chunked') return undefined;
  return 'The Transfer-Encoding must be chunked';
}

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

/** Returns the request of a context. Nest's `switchToHttp` makes three functions each time. */
// eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters -- as Nest's own `getRequest`
export const requestOf = <T = Request>(context: ArgumentsHost): T => context.getArgByIndex<T>(0);

/** Returns the response of a context. */
export const responseOf = (context: ArgumentsHost): Response => context.getArgByIndex<Response>(1);

const HEADER = 'X-Request-Id';

/** Ids of clients that are taken over: at most 128 characters that are safe in headers and log lines. */
const SANE = /^[A-Za-z0-9._:/+=@-]{1,128}$/;

/** Gives a request its id, the client's `X-Request-Id` or a new one, and sets it on the response. */
export function assignRequestId(request: IncomingMessage, response: ServerResponse): string {
  const sent = request.headers['x-request-id'];
  const id = typeof sent === 'string' && SANE.test(sent) ? sent : newId();
  response.setHeader(HEADER, id);
  return id;
}

/** Returns the id of a request. Assigns one if no middleware has done so and the headers are not sent yet. */
export function requestId(request: IncomingMessage, response: ServerResponse): string {
  const assigned = response.getHeader(HEADER);
  if (typeof assigned === 'string') return assigned;
  return response.headersSent ? newId() : assignRequestId(request, response);
}

/** Parameter decorator: the id of the request, for answers that contain error objects beside others. */
export const RequestId = createParamDecorator((_: unknown, context: ExecutionContext): string =>
  requestId(requestOf(context), responseOf(context)),
);
