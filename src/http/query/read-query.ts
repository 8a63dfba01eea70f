import { parse } from 'node:querystring';
import type { Request } from 'express';
import { Failures } from '../../errors/failures.js';
import { parseQuery, type ParameterParsers } from './query-parameters.js';

/** Reads all parameters. The parser of Express drops those after the thousandth, without an error. */
const WHOLE = { maxKeys: 0 };

/**
 * Parses the query string of a request.
 * @param parsers one for each parameter that the route takes
 * @throws 400 listing every bad parameter and every unknown one
 */
export function readQuery<T extends object>(request: Request, parsers: ParameterParsers<T>): T {
  const failures = new Failures();
  const query = collectQuery(request, parsers, failures);
  failures.throwIfAny();
  return query as T;
}

/** As `readQuery`, but adds what is wrong to `failures`. A bad parameter is missing in the result. */
export function collectQuery<T extends object>(
  { url }: Request,
  parsers: ParameterParsers<T>,
  failures: Failures,
): Partial<T> {
  const start = url.indexOf('?');
  const query = start < 0 ? '' : url.slice(start + 1);
  return parseQuery(parse(query, '&', '=', WHOLE), parsers, failures);
}
