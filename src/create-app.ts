import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { SwaggerModule } from '@nestjs/swagger';
import { FairleadModule, type FairleadOptions } from './fairlead.module.js';
import { configureHttp, describeApp, FastExpressAdapter, type HttpOptions } from './http/index.js';
import { NestLogger } from './logging/nest-logger.js';

/** Builds the HTTP application, ready to listen. The caller closes it, and the data source after it. */
export async function createApp(options: FairleadOptions & HttpOptions): Promise<NestExpressApplication> {
  const app = await NestFactory.create<NestExpressApplication>(
    FairleadModule.forRoot(options),
    new FastExpressAdapter(),
    {
      bodyParser: false,
      logger: new NestLogger(options.logger),
      abortOnError: false,
    },
  );
  configureHttp(app, options);
  SwaggerModule.setup('docs', app, () => describeApp(app), { jsonDocumentUrl: 'openapi.json' });
  await app.init();
  return app;
}
