import { IncomingMessage, ServerResponse } from 'node:http';
import { HttpException, NotFoundException } from '@nestjs/common';
import type { Application, Express, Request } from 'express';

// Everything that this service relies on and that Express, body-parser or Nest do not publish. Nothing
// outside this file casts into them or reads their messages; the spec beside it fails when one of them
// changes.

/** One layer of the router of Express 5: middleware, or a route with its methods in lower case. */
interface Layer {
  readonly route?: { readonly methods: Readonly<Record<string, boolean>> };
  /** @returns false where the path does not match */
  match(path: string): unknown;
}

/**
 * The methods under which the request's path has a route, in upper case and sorted. Empty for an unknown
 * path.
 * @param request one that reached no route, in an application that has its routes on its own router
 */
export function allowedMethods(request: Request): string[] {
  const { stack } = (request.app as Application).router as unknown as { stack: readonly Layer[] };
  // Inside a router that is mounted under a prefix, `path` lacks the prefix.
  const path = request.baseUrl + request.path;
  const methods = new Set<string>();
  for (const layer of stack) {
    if (layer.route === undefined || layer.match(path) === false) continue;
    for (const method of Object.keys(layer.route.methods)) methods.add(method.toUpperCase());
  }
  methods.delete('_ALL');
  if (methods.has('GET')) methods.add('HEAD');
  return [...methods].sort();
}

/** Classes with which `createServer` makes requests and responses. */
interface MessageClasses {
  readonly IncomingMessage: typeof IncomingMessage;
  readonly ServerResponse: typeof ServerResponse<IncomingMessage>;
}

/**
 * Classes whose requests and responses have the prototypes of an Express application from the start. Express
 * assigns `application.request` and `application.response` as prototypes to each message; after this call
 * these are the prototypes that the messages have already.
 */
export function adoptMessages(express: Express): MessageClasses {
  class ExpressRequest extends IncomingMessage {}
  class ExpressResponse extends ServerResponse {}
  Object.setPrototypeOf(ExpressRequest.prototype, express.request);
  Object.setPrototypeOf(ExpressResponse.prototype, express.response);
  Object.assign(express, { request: ExpressRequest.prototype, response: ExpressResponse.prototype });
  return { IncomingMessage: ExpressRequest, ServerResponse: ExpressResponse };
}

/** What Express or body-parser say of a request that they refuse. */
export interface RequestError {
  /** 400 to 499. */
  readonly status: number;
  /** A word of body-parser, such as `entity.too.large`. */
  readonly type: string | undefined;
  /** Bytes; only of `entity.too.large`. */
  readonly limit: number | undefined;
}

/**
 * Reads an error of Express or body-parser. Undefined for any other error, and for one that is the server's
 * fault.
 */
export function requestError(error: unknown): RequestError | undefined {
  if (!(error instanceof Error)) return undefined;
  const { status, statusCode, type, limit } = error as Error & Readonly<Record<string, unknown>>;
  if (typeof status !== 'number' || status < 400 || status >= 500) return undefined;
  // Clients of other servers also put the `status` of an answer on their errors.
  if (typeof type !== 'string' && statusCode !== status) return undefined;
  return {
    status,
    type: typeof type === 'string' ? type : undefined,
    limit: typeof limit === 'number' ? limit : undefined,
  };
}

/**
 * The error itself, or the error of middleware that Nest has wrapped: Nest turns an error with a `status` and
 * a `statusCode` into an HttpException of the same status and message, with the error as its cause.
 */
export function unwrapped(error: unknown): unknown {
  if (!(error instanceof HttpException) || !(error.cause instanceof Error)) return error;
  const { status, message } = error.cause as Error & { readonly status?: unknown };
  return status === error.getStatus() && message === error.message ? error.cause : error;
}

/** Whether Nest says that no route has the path and method of a request. */
export function isNoRoute(error: unknown): boolean {
  return error instanceof NotFoundException && /^Cannot [A-Z-]+ \S+$/.test(error.message);
}
