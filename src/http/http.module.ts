import { Global, Module } from '@nestjs/common';
import { APP_FILTER } from '@nestjs/core';
import { BodyGuard, ParseGuard } from './body/body.guard.js';
import { EndpointConventions } from './endpoint-conventions.js';
import { ErrorFilter } from './errors/error.filter.js';

/**
 * Registers the error filter for every route of the application that imports it, and provides the guards of
 * bodies and EndpointConventions to all modules. The middleware comes with `configureHttp`, because its order
 * matters.
 */
@Global()
@Module({
  providers: [BodyGuard, ParseGuard, EndpointConventions, { provide: APP_FILTER, useClass: ErrorFilter }],
  exports: [BodyGuard, ParseGuard, EndpointConventions],
})
export class HttpModule {}
