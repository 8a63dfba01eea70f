import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Logger } from 'pino';
import { FairleadModule, type FairleadModuleOptions } from './fairlead.module.js';
import { ConsoleFiles } from '../console/http.js';
import { configureHttp, FastExpressAdapter, serveDocumentation } from '../http/index.js';
import { NestLogger } from '../logging/create-logger.js';

/** The options of `FairleadModule.forRoot`, and the logger for Nest's own messages. */
export type AppOptions = FairleadModuleOptions & { readonly logger: Logger };

/** Builds the HTTP application of the service, ready to listen. */
export async function createApp(options: AppOptions): Promise<NestExpressApplication> {
  const app = await NestFactory.create<NestExpressApplication>(
    FairleadModule.forRoot(options),
    new FastExpressAdapter(),
    { bodyParser: false, logger: new NestLogger(options.logger), abortOnError: false },
  );
  configureHttp(app);
  serveDocumentation(app, () => app.get(ConsoleFiles, { strict: false }).path);
  await app.init();
  return app;
}
