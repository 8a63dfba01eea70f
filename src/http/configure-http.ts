import type { NestExpressApplication } from '@nestjs/platform-express';
import helmet from 'helmet';
import type { Logger } from 'pino';
import { bytesOf } from '../settings/rules.js';
import { SETTINGS, type Settings } from '../settings/settings.js';
import { LOGGER } from '../logging/create-logger.js';
import { Metrics } from '../metrics/index.js';
import { boundedPipeline, countOwedAnswers } from './connection/owed-answers.js';
import { unreadAnswers, unreadBody } from './connection/unread.js';
import { allowOrigins } from './cross-origin.js';
import { decodablePath, soundHead, startDeadline } from './middleware.js';
import { requestLogger } from './request-logger.js';
import { RequestMetrics } from './request-metrics.js';

/** Bytes of answers that all clients together may leave unread. A list of 100 records has up to 10 MiB. */
const MOST_UNREAD = 64 * 1024 * 1024;

/** Browsers must not turn http://localhost into https for the pages under /docs. */
const SECURITY_HEADERS = { contentSecurityPolicy: { directives: { upgradeInsecureRequests: null } } };

/**
 * Adds the middleware of this service to an application: a bound on pipelined requests, the clock of each
 * request, request id, request log and request metrics, security headers, sound heads, bounds on bodies and
 * answers that nobody reads, decodable paths, other origins. It runs for every route of the application, also
 * for those of a host. Turns off `ETag` and `X-Powered-By`.
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
    startDeadline(settings.REQUEST_TIMEOUT_MS),
    requestLogger(app.get<Logger>(LOGGER), metrics),
    helmet(SECURITY_HEADERS),
    unreadAnswers(MOST_UNREAD),
    soundHead,
    unreadBody(bytesOf(settings.BODY_LIMIT)),
    decodablePath,
  );
  allowOrigins(app, settings.CORS_ORIGINS);
}
