import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import helmet from 'helmet';
import type { Logger } from 'pino';
import { FairleadModule, type FairleadOptions } from './fairlead.module.js';
import { assignmentSchemas } from './assignments/index.js';
import { authSchemas } from './auth/index.js';
import { dispatchSchemas } from './dispatch/index.js';
import { bodyParsers } from './http/body/body-parsers.js';
import { decodablePath } from './http/decodable-path.js';
import { ErrorFilter } from './http/errors/error.filter.js';
import { FastExpressAdapter } from './http/fast-express.adapter.js';
import { openApiDocument } from './http/openapi/openapi-document.js';
import { requestLogger } from './http/request-logger.js';
import { NestLogger } from './logging/nest-logger.js';
import { recordSchemas } from './records/index.js';
import { routerSchemas } from './routers/index.js';

export interface HttpOptions extends FairleadOptions {
  /** As body-parser takes it, such as `1mb`. */
  readonly bodyLimit: string;
  readonly logger: Logger;
}

/** Builds the HTTP application, ready to listen. The caller closes it, and the data source after it. */
export async function createApp(options: HttpOptions): Promise<NestExpressApplication> {
  const app = await NestFactory.create<NestExpressApplication>(
    FairleadModule.forRoot(options),
    new FastExpressAdapter(),
    {
      bodyParser: false,
      logger: new NestLogger(options.logger),
      abortOnError: false,
    },
  );
  app.disable('x-powered-by');
  app.disable('etag');
  app.use(requestLogger(options.logger));
  // Browsers must not turn http://localhost into https for the pages under /docs.
  app.use(helmet({ contentSecurityPolicy: { directives: { upgradeInsecureRequests: null } } }));
  app.use(decodablePath);
  app.use(...bodyParsers(options.bodyLimit));
  app.useGlobalFilters(new ErrorFilter(options.logger));
  SwaggerModule.setup('docs', app, () => describeApp(app), { jsonDocumentUrl: 'openapi.json' });
  await app.init();
  return app;
}

/** The OpenAPI document of the application. */
export function describeApp(app: NestExpressApplication): OpenAPIObject {
  return openApiDocument(app, {
    ...assignmentSchemas(),
    ...authSchemas(),
    ...recordSchemas(),
    ...routerSchemas(),
    ...dispatchSchemas(),
  });
}
