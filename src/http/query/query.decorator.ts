import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { parseQuery, type ParameterParser, type RawQuery } from './query-parameters.js';

/** The request's query parameters, each read by its parser; anything not named here is refused. */
export const QueryParameters = createParamDecorator(
  (parsers: Record<string, ParameterParser<unknown>>, context: ExecutionContext) =>
    parseQuery(context.switchToHttp().getRequest<Request>().query as RawQuery, parsers),
);
