import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Logger } from 'pino';
import { bytesOf } from '../settings/bytes-of.js';
import type { Settings } from '../settings/settings.js';
import { SETTINGS } from '../settings/settings.token.js';
import { LOGGER } from '../logging/logger.token.js';
import { Metrics } from '../metrics/index.js';
import { boundedPipeline } from './connection/bounded-pipeline.js';
import { OwedAnswers } from './connection/owed-answers.js';
import { soundHead } from './connection/sound-head.js';
import { unreadAnswers } from './connection/unread-answers.js';
import { unreadBody } from './connection/unread-body.js';
import { allowOrigins } from './cross-origin.js';
import { decodablePath } from './decodable-path.js';
import { inOrder } from './in-order.js';
import { startDeadline } from './request-deadline.js';
import { requestLogger } from './request-logger.js';
import { RequestMetrics } from './request-metrics.js';
import { securityHeaders } from './security-headers.js';

/** Bytes of answers that all clients together may leave unread. A list of 100 records has up to 10 MiB. */
const UNREAD = { idle: 32 * 1024 * 1024, slow: 64 * 1024 * 1024 };

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
  const answers = OwedAnswers.of(app.getHttpServer());
  const settings = app.get<Settings>(SETTINGS);
  // Where it is unset, that of the host stays.
  const { TRUST_PROXY } = settings;
  if (typeof TRUST_PROXY === 'number' || TRUST_PROXY.length > 0) app.set('trust proxy', TRUST_PROXY);
  const { registry } = app.get(Metrics, { strict: false });
  const metrics = registry === undefined ? undefined : new RequestMetrics(registry);
  app.use(
    inOrder([
      boundedPipeline(answers),
      startDeadline(settings.REQUEST_TIMEOUT_MS),
      requestLogger(app.get<Logger>(LOGGER), metrics),
      securityHeaders(),
      unreadAnswers(answers, UNREAD),
      soundHead(answers),
      unreadBody(answers, bytesOf(settings.BODY_LIMIT)),
      decodablePath,
    ]),
  );
  allowOrigins(app, settings.CORS_ORIGINS);
}
