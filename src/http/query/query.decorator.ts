import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import type { ParameterParser } from './query-parameters.js';
import { readQuery } from './read-query.js';

/**
 * The request's query parameters, each read by its parser. Answers 400 to a bad parameter and to an unknown
 * one.
 */
export const QueryParameters = createParamDecorator(
  (parsers: Record<string, ParameterParser<unknown>>, context: ExecutionContext) =>
    readQuery(context.switchToHttp().getRequest<Request>(), parsers),
);
