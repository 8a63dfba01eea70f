import { Global, Module } from '@nestjs/common';
import { APP_FILTER } from '@nestjs/core';
import { EndpointConventions } from './endpoint-conventions.js';
import { ErrorFilter } from './errors/error.filter.js';

/**
 * Answers the errors of every route with the error object, in whatever application imports it. The middleware
 * is applied to the application by `configureHttp`, because its order matters and only the application knows
 * it.
 */
@Global()
@Module({
  providers: [EndpointConventions, { provide: APP_FILTER, useClass: ErrorFilter }],
  exports: [EndpointConventions],
})
export class HttpModule {}
