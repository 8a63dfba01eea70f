import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import type { ParameterParser } from './query-parameters.js';
import { readQuery } from './read-query.js';

/**
 * Parameter decorator: the query parameters, each read by its parser. Throws 400 for bad and unknown ones.
 */
export const QueryParameters = createParamDecorator(
  (parsers: Record<string, ParameterParser<unknown>>, context: ExecutionContext) =>
    readQuery(context.switchToHttp().getRequest<Request>(), parsers),
);
