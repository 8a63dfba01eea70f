import helmet from 'helmet';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Logger } from 'pino';
import { bytesOf } from '../settings/rules.js';
import { SETTINGS, type Settings } from '../settings/settings.js';
import { LOGGER } from '../logging/create-logger.js';
import { Metrics } from '../metrics/metrics.js';
import { boundedPipeline, countOwedAnswers } from './connection/owed-answers.js';
import { boundUnread } from './connection/unread.js';
import { soundHead, startRequests } from './middleware.js';
import { RequestMetrics } from './request-metrics.js';
import type { NextFunction, Request, Response } from 'express';

/** Bytes of answers that all clients together may leave unread. A list of 100 records has up to 10 MiB. */
const MOST_UNREAD = 64 * 1024 * 1024;

/** Browsers must not turn http://localhost into https for the pages under /docs. */
const SECURITY_HEADERS = { contentSecurityPolicy: { directives: { upgradeInsecureRequests: null } } };

/**
 * Adds the middleware of this service to an application: a bound on pipelined requests, the clock, the id,
 * the log line and the metrics of each request, security headers, bounds on bodies and answers that nobody
 * reads, sound heads, other origins. It runs for every route of the application, also for those of a host.
 * Turns off `ETag` and `X-Powered-By`.
 *
 * Must be called once, before `init` or `listen`. Bodies are read by `BodyGuard`, after the token is
 * verified, unless the host has parsers of its own: Nest's are off with `bodyParser: false`. A host that
 * reads other media types than JSON registers them with EndpointConventions.
 */
export function configureHttp(app: NestExpressApplication): void {
  app.disable('x-powered-by');
  app.disable('etag');
  countOwedAnswers(app.getHttpServer());
  const settings = app.get<Settings>(SETTINGS);
  // Where it is unset, that of the host stays.
  const { TRUST_PROXY } = settings;
  if (typeof TRUST_PROXY === 'number' || TRUST_PROXY.length > 0) app.set('trust proxy', TRUST_PROXY);
  const { registry } = app.get(Metrics, { strict: false });
  const metrics = registry === undefined ? undefined : new RequestMetrics(registry);
  app.use(
    boundedPipeline(),
    startRequests({ limit: settings.REQUEST_TIMEOUT_MS, logger: app.get<Logger>(LOGGER), metrics }),
    helmet(SECURITY_HEADERS),
    boundUnread({ answers: MOST_UNREAD, body: bytesOf(settings.BODY_LIMIT) }),
    soundHead,
  );
  allowOrigins(app, settings.CORS_ORIGINS);
}

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
