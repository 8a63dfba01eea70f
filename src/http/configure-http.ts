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
 * Gives an application the middleware of this service: request ids and the request log, security headers,
 * paths that always decode, and body parsers. It runs for every route of the application, those of a host
 * included.
 *
 * Called once, before `init` or `listen`: middleware runs in the order in which it was added. A body that a
 * parser added earlier has read is taken as it is; Nest's own parsers run later and skip what these have
 * read. Without this call the routes work too, with the limits of whatever parsers the application has and
 * without request log.
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
