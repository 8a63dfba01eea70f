import { Module } from '@nestjs/common';
import { APP_FILTER } from '@nestjs/core';
import { ErrorFilter } from './errors/error.filter.js';

/**
 * Answers the errors of every route with the error object, in whatever application imports it. The middleware is
 * applied to the application by `configureHttp`, because its order matters and only the application knows it.
 */
@Module({ providers: [{ provide: APP_FILTER, useClass: ErrorFilter }] })
export class HttpModule {}
