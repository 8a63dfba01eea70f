import { Global, Module, type DynamicModule } from '@nestjs/common';
import { APP_FILTER } from '@nestjs/core';
import type { Logger } from 'pino';
import { LOGGER } from '../logging/logger.token.js';
import { ErrorFilter } from './errors/error.filter.js';

/** What the HTTP side is configured with. */
export interface HttpModuleOptions {
  /** Gets a line for each request and each error that callers may not see. */
  readonly logger: Logger;
}

/**
 * Answers the errors of every route with the error object, in whatever application imports it. The middleware is
 * applied to the application by `configureHttp`, because its order matters and only the application knows it.
 */
@Global()
@Module({})
export class HttpModule {
  static forRoot({ logger }: HttpModuleOptions): DynamicModule {
    return {
      module: HttpModule,
      providers: [
        { provide: LOGGER, useValue: logger },
        { provide: APP_FILTER, useClass: ErrorFilter },
      ],
      exports: [LOGGER],
    };
  }
}
