import type { NestExpressApplication } from '@nestjs/platform-express';
import helmet from 'helmet';
import type { Logger } from 'pino';
import { bytesOf } from '../settings/rules.js';
import { SETTINGS, type Settings } from '../settings/settings.js';
import { LOGGER } from '../logging/create-logger.js';
import { Metrics } from '../metrics/index.js';
import { boundedPipeline, countOwedAnswers } from './connection/owed-answers.js';
import { boundUnread } from './connection/unread.js';
import { allowOrigins } from './cross-origin.js';
import { soundHead, startRequests } from './middleware.js';
import { RequestMetrics } from './request-metrics.js';

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
