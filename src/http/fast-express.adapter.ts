import { createServer, IncomingMessage, ServerResponse } from 'node:http';
import { ExpressAdapter } from '@nestjs/platform-express';
import type { Express } from 'express';

/**
 * Nest on Express, with requests and responses that are Express's own from the start. Express otherwise swaps the
 * prototype of every request and response it is handed, and with it all that V8 has learnt about them: an empty
 * application takes three times as long, and all that comes after it twice. Express still asks for the swap, and finds
 * nothing to do.
 */
export class FastExpressAdapter extends ExpressAdapter {
  /** Takes none of Nest's options for TLS, `forceCloseConnections` and `return503OnClosing`, which this service does not use. */
  override initHttpServer(): void {
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
