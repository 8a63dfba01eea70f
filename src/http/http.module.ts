import { Global, Module } from '@nestjs/common';
import { APP_FILTER } from '@nestjs/core';
import { EndpointConventions } from './endpoint-conventions.js';
import { ErrorFilter } from './errors/error.filter.js';

/**
 * Registers the error filter for every route of the application that imports it, and provides
 * EndpointConventions to all modules. The middleware comes with `configureHttp`, because its order matters.
 */
@Global()
@Module({
  providers: [EndpointConventions, { provide: APP_FILTER, useClass: ErrorFilter }],
  exports: [EndpointConventions],
})
export class HttpModule {}
