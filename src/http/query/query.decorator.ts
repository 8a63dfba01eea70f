import { parse } from 'node:querystring';
import { createParamDecorator, UseGuards, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { Failures } from '../../errors/failures.js';
import { requestOf } from '../request-of.js';
import { parseQuery, type ParameterParser, type ParameterParsers } from './query-parameters.js';

/** Reads all parameters. The parser of Express drops those after the thousandth, without an error. */
const WHOLE = { maxKeys: 0 };

/**
 * Parses the query string of a request.
 * @param parsers one for each parameter that the route takes
 * @param failures receives every bad parameter and every unknown one
 * @returns the parameters that are not bad
 */
export function collectQuery<T extends object>(
  { url }: Request,
  parsers: ParameterParsers<T>,
  failures: Failures,
): Partial<T> {
  const start = url.indexOf('?');
  const query = start < 0 ? '' : url.slice(start + 1);
  return parseQuery(parse(query, '&', '=', WHOLE), parsers, failures);
}

/** As `collectQuery`. @throws 400 listing every bad parameter and every unknown one */
function readQuery(
  context: ExecutionContext,
  parsers: Readonly<Record<string, ParameterParser<unknown>>>,
): object {
  const failures = new Failures();
  const query = collectQuery(requestOf(context), parsers, failures);
  failures.throwIfAny();
  return query;
}

/**
 * Parameter decorator: the query parameters, each read by its parser. Throws 400 for bad and unknown ones.
 */
export const QueryParameters = createParamDecorator(
  (parsers: Record<string, ParameterParser<unknown>>, context: ExecutionContext) =>
    readQuery(context, parsers),
);

const NONE_TAKEN: CanActivate = {
  canActivate: (context) => {
    readQuery(context, {});
    return true;
  },
};

/**
 * Declares that a route takes no query parameters: throws 400 listing every one that is sent. It is a guard,
 * because guards of a route run after AccountGuard, which checks token and scope, and before the pipes that
 * check the body.
 */
export const NoQueryParameters = (): MethodDecorator & ClassDecorator => UseGuards(NONE_TAKEN);
