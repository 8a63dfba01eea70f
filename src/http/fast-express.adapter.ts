import { createServer, IncomingMessage, ServerResponse } from 'node:http';
import { type NestApplicationOptions, NotFoundException } from '@nestjs/common';
import { ExpressAdapter } from '@nestjs/platform-express';
import type { Express, Response, Application, Request } from 'express';
import { CHECK_INTERVAL } from './connection/connection-limits.js';
import { answerEarlyRefusals } from './connection/early-refusals.js';
import { textOfPage } from '../paging/index.js';

/**
 * Runs Nest on Express with requests and responses that are created with the prototypes of Express. Without
 * it, Express sets the prototype of every request and response, and V8 does not optimize code that uses such
 * objects: an empty application takes three to six times as long (ADR 7).
 */
export class FastExpressAdapter extends ExpressAdapter {
  /** @throws Error for Nest's options about the server, which this adapter does not support */
  override initHttpServer(nest: NestApplicationOptions): void {
    const { httpsOptions, forceCloseConnections, return503OnClosing } = nest;
    if (httpsOptions !== undefined || forceCloseConnections === true || return503OnClosing === true) {
      throw new Error('httpsOptions, forceCloseConnections and return503OnClosing are not supported');
    }
    const express = this.getInstance<Express>();
    const options = { ...adoptMessages(express), connectionsCheckingInterval: CHECK_INTERVAL };
    const server = createServer(options, express);
    answerEarlyRefusals(server);
    this.httpServer = server;
  }

  /** Sends a page whose JSON is there without making it again, and anything else as Nest does. */
  override reply(response: Response, body: unknown, statusCode?: number): unknown {
    const text = textOfPage(body);
    if (text === undefined) return super.reply(response, body, statusCode);
    if (statusCode !== undefined) response.status(statusCode);
    if (!response.hasHeader('Content-Type')) response.type('json');
    return response.send(text);
  }
}

// What follows is everything on which the service relies and that Express and Nest do not publish. No other
// file casts into them or matches their messages. express-internals.spec.ts fails when one of them changes.

/** One layer of the router of Express 5: middleware, or a route with its methods in lower case. */
interface Layer {
  readonly route?: { readonly methods: Readonly<Record<string, boolean>> };
  /** @returns false where the path does not match */
  match(path: string): unknown;
}

/**
 * Lists the methods that have a route for the path of a request, in upper case and sorted. Empty for an
 * unknown path.
 * @param request a request for which Nest found no route
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

/** Classes from which `createServer` creates requests and responses. */
interface MessageClasses {
  readonly IncomingMessage: typeof IncomingMessage;
  readonly ServerResponse: typeof ServerResponse<IncomingMessage>;
}

/**
 * Creates classes of requests and responses that have the prototypes of an Express application. Express sets
 * `application.request` and `application.response` as prototypes of each message. This call replaces these
 * two by the prototypes of the classes, so that setting them changes nothing.
 */
export function adoptMessages(express: Express): MessageClasses {
  class ExpressRequest extends IncomingMessage {}
  class ExpressResponse extends ServerResponse {}
  Object.setPrototypeOf(ExpressRequest.prototype, express.request);
  Object.setPrototypeOf(ExpressResponse.prototype, express.response);
  Object.assign(express, { request: ExpressRequest.prototype, response: ExpressResponse.prototype });
  return { IncomingMessage: ExpressRequest, ServerResponse: ExpressResponse };
}

/** Whether an error is that of Nest for a request without a route. */
export function isNoRoute(error: unknown): boolean {
  return error instanceof NotFoundException && /^Cannot [A-Z-]+ \S+$/.test(error.message);
}
