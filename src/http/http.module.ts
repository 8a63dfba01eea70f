import { Global, Module, type DynamicModule } from '@nestjs/common';
import { APP_FILTER } from '@nestjs/core';
import type { Logger } from 'pino';
import { LOGGER } from '../logging/logger.token.js';
import { EndpointConventions } from './endpoint-conventions.js';
import { ErrorFilter } from './errors/error.filter.js';

/** Configuration of HttpModule. */
export interface HttpModuleOptions {
  /** Receives one line for each request, and one for each error of status 500 and above. */
  readonly logger: Logger;
}

/**
 * Registers the error filter for every route of the application that imports it, and provides LOGGER and
 * EndpointConventions to all modules. The middleware comes with `configureHttp`, because its order matters.
 */
@Global()
@Module({})
export class HttpModule {
  static forRoot({ logger }: HttpModuleOptions): DynamicModule {
    return {
      module: HttpModule,
      providers: [
        EndpointConventions,
        { provide: LOGGER, useValue: logger },
        { provide: APP_FILTER, useClass: ErrorFilter },
      ],
      exports: [EndpointConventions, LOGGER],
    };
  }
}
