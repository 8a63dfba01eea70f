import type { Logger } from 'pino';
import { pinoHttp, type HttpLogger } from 'pino-http';
import { assignRequestId } from './request-id.js';

/** Middleware that gives every request its id and logs one line when it is answered: no headers, no body, no query. */
export function requestLogger(logger: Logger): HttpLogger {
  return pinoHttp({
    logger,
    genReqId: assignRequestId,
    quietReqLogger: true,
    customAttributeKeys: { reqId: 'request_id', responseTime: 'duration_ms' },
    customLogLevel: (_request, response, error) =>
      response.statusCode >= 500 || error !== undefined ? 'error' : 'info',
    customSuccessMessage: () => 'request',
    customErrorMessage: () => 'request failed',
    // The error itself is logged where it is caught; here it would be a copy.
    customErrorObject: (_request, _response, _error, { err: _err, ...line }: Record<string, unknown>) => line,
    serializers: {
      req: (request: { method: string; url: string }) => ({
        method: request.method,
        path: request.url.split('?')[0],
      }),
      res: (response: { statusCode: number }) => ({ status: response.statusCode }),
    },
  });
}
