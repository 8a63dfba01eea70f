import { createServer, IncomingMessage, ServerResponse } from 'node:http';
import type { NestApplicationOptions } from '@nestjs/common';
import { ExpressAdapter } from '@nestjs/platform-express';
import type { Express } from 'express';

/**
 * Nest on Express, with requests and responses that are Express's own from the start. Express otherwise swaps the
 * prototype of every request and response it is handed, and with it all that V8 has learnt about them: an empty
 * application takes three to six times as long, and what comes after it is slower too. Express still asks for the swap,
 * and finds nothing to do.
 */
export class FastExpressAdapter extends ExpressAdapter {
  /** @throws Error for Nest's options about the server itself, which this one does not take */
  override initHttpServer(options: NestApplicationOptions): void {
    const { httpsOptions, forceCloseConnections, return503OnClosing } = options;
    if (httpsOptions !== undefined || forceCloseConnections === true || return503OnClosing === true) {
      throw new Error('httpsOptions, forceCloseConnections and return503OnClosing are not supported');
    }
    class ExpressRequest extends IncomingMessage {}
    class ExpressResponse extends ServerResponse<ExpressRequest> {}
    const express = this.getInstance<Express>();
    Object.setPrototypeOf(ExpressRequest.prototype, express.request);
    Object.setPrototypeOf(ExpressResponse.prototype, express.response);
    Object.assign(express, { request: ExpressRequest.prototype, response: ExpressResponse.prototype });
    this.httpServer = createServer(
      { IncomingMessage: ExpressRequest, ServerResponse: ExpressResponse },
      express,
    );
  }
}
