import { createServer } from 'node:http';
import type { NestApplicationOptions } from '@nestjs/common';
import { ExpressAdapter } from '@nestjs/platform-express';
import type { Express } from 'express';
import { adoptMessages } from './express-internals.js';

/**
 * Nest on Express, with requests and responses that have the prototypes of Express from the start. Express
 * otherwise swaps the prototype of every request and response. V8 does not optimize code that touches an
 * object whose prototype was swapped: an empty application then takes three to six times as long. Measured in
 * ADR 7.
 */
export class FastExpressAdapter extends ExpressAdapter {
  /** @throws Error for Nest's options about the server, which this adapter does not support */
  override initHttpServer(options: NestApplicationOptions): void {
    const { httpsOptions, forceCloseConnections, return503OnClosing } = options;
    if (httpsOptions !== undefined || forceCloseConnections === true || return503OnClosing === true) {
      throw new Error('httpsOptions, forceCloseConnections and return503OnClosing are not supported');
    }
    const express = this.getInstance<Express>();
    this.httpServer = createServer(adoptMessages(express), express);
  }
}
