import type { RequestHandler } from 'express';
import type { Logger } from 'pino';
import { assignRequestId } from './request-id.js';

/**
 * Middleware that gives every request its id and logs one line when it is answered, or given up by the
 * client: no headers, no body, no query. pino-http would do the same, with two child loggers and 30 µs more a
 * request.
 */
export function requestLogger(logger: Logger): RequestHandler {
  return (request, response, next) => {
    const started = performance.now();
    const id = assignRequestId(request, response);
    const { method, originalUrl } = request;
    response.once('close', () => {
      // Until the headers are sent, the status is only what it would have been.
      const status = response.headersSent ? response.statusCode : null;
      const line = {
        request_id: id,
        req: { method, path: originalUrl.split('?', 1)[0] },
        res: { status },
        duration_ms: Math.round(performance.now() - started),
      };
      if (request.errored !== null || !response.writableFinished) logger.info(line, 'request aborted');
      else if (response.statusCode >= 500) logger.error(line, 'request failed');
      else logger.info(line, 'request');
    });
    next();
  };
}
