import type { FieldError } from '../../errors/domain-error.js';
import type { Failures } from '../../errors/failures.js';
import { shownName } from '../../text/shown-name.js';

/** A query string as `node:querystring` parses it. */
export type RawQuery = Readonly<Record<string, string | string[] | undefined>>;

/**
 * Parses the raw value of one parameter.
 * @param raw undefined where the parameter is absent, a list where it is repeated
 * @param query the other parameters, for one that does not go with all of them
 * @throws ParameterError
 */
export type ParameterParser<T> = (raw: string | string[] | undefined, name: string, query: RawQuery) => T;

/** One parser for each parameter of a route. */
export type ParameterParsers<T extends object> = { readonly [K in keyof T]: ParameterParser<T[K]> };

/** Thrown by a parser. `parseQuery` collects these, so that one answer lists every bad parameter. */
export class ParameterError extends Error {}

/**
 * Reads a parsed query string.
 * @param failures receives every bad parameter and every unknown one
 * @returns the parameters that are not bad
 */
export function parseQuery<T extends object>(
  query: RawQuery,
  parsers: ParameterParsers<T>,
  failures: Failures,
): Partial<T> {
  const result: Partial<T> = {};
  const known = new Map<string, ParameterParser<unknown>>(Object.entries(parsers));
  for (const name of Object.keys(query)) {
    if (!known.has(name)) failures.add(() => unknownParameter(name, [...known.keys()]));
  }
  for (const [name, parse] of known) {
    try {
      Object.assign(result, { [name]: parse(query[name], name, query) });
    } catch (error) {
      if (!(error instanceof ParameterError)) throw error;
      failures.add(() => ({ field: name, message: error.message }));
    }
  }
  return result;
}

function unknownParameter(name: string, known: readonly string[]): FieldError {
  const shown = shownName(name);
  const allowed = known.length > 0 ? `allowed: ${known.join(', ')}` : 'this route takes none';
  return { field: shown, message: `Unknown query parameter: ${shown} (${allowed})` };
}
