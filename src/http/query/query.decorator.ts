import { parse } from 'node:querystring';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { parseQuery, type ParameterParser } from './query-parameters.js';

/** Express's own `query` silently leaves out what comes behind the thousandth parameter. */
const WHOLE = { maxKeys: 0 };

/** The request's query parameters, each read by its parser; anything not named here is refused. */
export const QueryParameters = createParamDecorator(
  (parsers: Record<string, ParameterParser<unknown>>, context: ExecutionContext) => {
    const { url } = context.switchToHttp().getRequest<Request>();
    const [, query = ''] = /\?(.*)/s.exec(url) ?? [];
    return parseQuery(parse(query, '&', '=', WHOLE), parsers);
  },
);
