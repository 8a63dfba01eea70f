import { createServer } from 'node:http';
import type { NestApplicationOptions } from '@nestjs/common';
import { ExpressAdapter } from '@nestjs/platform-express';
import type { Express, Response } from 'express';
import { CHECK_INTERVAL } from './connection/connection-limits.js';
import { answerEarlyRefusals } from './connection/early-refusals.js';
import { adoptMessages } from './express-internals.js';
import { jsonOf } from '../paging/index.js';

/** Settings of an application that change its JSON. */
const CHANGES_JSON = ['json escape', 'json replacer', 'json spaces'];

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

  /** Answers objects as Express does, and a page whose JSON is there without making it again. */
  override reply(response: Response, body: unknown, statusCode?: number): unknown {
    if (!isLiteral(body) || CHANGES_JSON.some((name) => response.app.get(name))) {
      return super.reply(response, body, statusCode);
    }
    if (statusCode !== undefined) response.status(statusCode);
    if (!response.hasHeader('Content-Type')) response.type('json');
    return response.send(jsonOf(body));
  }
}

/** Whether a value is an object without a class, so no stream and no file. */
function isLiteral(value: unknown): value is object {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}
