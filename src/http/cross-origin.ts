import type { NestExpressApplication } from '@nestjs/platform-express';
import type { NextFunction, Request, Response } from 'express';

/** Seconds for which a browser keeps the answer to a preflight request. Chromium keeps none for longer. */
const MAX_AGE = 7_200;

const OPTIONS = {
  methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
  allowedHeaders: [
    'Authorization',
    'Content-Type',
    'X-Request-Id',
    'Idempotency-Key',
    'If-Match',
    'If-None-Match',
  ],
  exposedHeaders: [
    'X-Request-Id',
    'Location',
    'ETag',
    'Idempotency-Replayed',
    'Retry-After',
    'RateLimit-Limit',
    'RateLimit-Remaining',
    'RateLimit-Reset',
  ],
  maxAge: MAX_AGE,
};

/** The type of Nest forgets that there may be none. */
const NO_ERROR = null as unknown as Error;

/**
 * Lets pages of these origins use the service (CORS): answers their preflight requests, and names the origin
 * on every other answer to them. Other origins, and OPTIONS that is no preflight request, are answered as
 * without it. Nothing is added where there are no origins.
 * @param origins as browsers send them
 */
export function allowOrigins(app: NestExpressApplication, origins: readonly string[]): void {
  if (origins.length === 0) return;
  const allowed = new Set(origins);
  app.use((_request: Request, response: Response, next: NextFunction) => {
    // What a cache keeps for one origin is not for another.
    response.vary('Origin');
    next();
  });
  app.enableCors(({ headers }: Request, choose) => {
    const { origin } = headers;
    if (origin === undefined || !allowed.has(origin)) choose(NO_ERROR, { origin: false });
    else {
      const isPreflight = headers['access-control-request-method'] !== undefined;
      choose(NO_ERROR, { ...OPTIONS, origin, preflightContinue: !isPreflight });
    }
  });
}
