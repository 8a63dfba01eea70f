import type { NestExpressApplication } from '@nestjs/platform-express';
import helmet from 'helmet';
import type { Logger } from 'pino';
import type { Settings } from '../settings/settings.js';
import { SETTINGS } from '../settings/settings.token.js';
import { LOGGER } from '../logging/logger.token.js';
import { bodyParsers } from './body/body-parsers.js';
import { decodablePath } from './decodable-path.js';
import { EndpointConventions } from './endpoint-conventions.js';
import { requestLogger } from './request-logger.js';

/**
 * Adds the middleware of this service to an application: request id and request log, security headers,
 * decodable paths, body parsers. It runs for every route of the application, also for those of a host. Turns
 * off `ETag` and `X-Powered-By`.
 *
 * Must be called once, before `init` or `listen`. A body that an earlier parser has read is accepted as it
 * is. Parsers of Nest run later and skip a body that is read. A host that reads other media types than JSON
 * registers them with EndpointConventions. Without this call the routes work too, with the parsers that the
 * host has.
 */
export function configureHttp(app: NestExpressApplication): void {
  app.disable('x-powered-by');
  app.disable('etag');
  app.use(requestLogger(app.get<Logger>(LOGGER)));
  // Browsers must not turn http://localhost into https for the pages under /docs.
  app.use(helmet({ contentSecurityPolicy: { directives: { upgradeInsecureRequests: null } } }));
  app.use(decodablePath);
  app.use(...bodyParsers(app.get<Settings>(SETTINGS).BODY_LIMIT, app.get(EndpointConventions)));
}
