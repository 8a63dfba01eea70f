import type { FieldError } from '../../errors/domain-error.js';
import type { Failures } from '../../errors/errors.js';
import { idOfCursor, NO_CURSOR, NO_OFFSET, PAGE_ROWS } from '../../paging/index.js';
import { nameKey } from '../../text/canonical-text.js';
import { shownName } from '../../text/shown-name.js';
import { textProblem } from '../../text/text-problem.js';
import { parseInstant } from '../../time/parse-instant.js';
import { CURSOR, INSTANT, integer as integerSchema, type Schema, wordOf } from '../openapi/schemas.js';

/** A query string as `node:querystring` parses it. */
export type RawQuery = Readonly<Record<string, string | string[] | undefined>>;

/** How the OpenAPI document describes a parameter. */
export interface ParameterDescription {
  readonly description?: string;
  readonly schema: Schema;
  /** False unless given. */
  readonly required?: boolean;
}

/**
 * Parses the raw value of one parameter.
 * @param raw undefined where the parameter is absent, a list where it is repeated
 * @param query the other parameters, for one that does not go with all of them
 * @throws ParameterError
 */
export interface ParameterParser<T> {
  (raw: string | string[] | undefined, name: string, query: RawQuery): T;
  readonly described?: ParameterDescription;
}

/** One parser for each parameter of a route. */
export type ParameterParsers<T extends object> = { readonly [K in keyof T]: ParameterParser<T[K]> };

/** Returns a parser with what the OpenAPI document says of its parameter, on each route that takes it. */
export const described = <T>(
  parse: ParameterParser<T>,
  description: ParameterDescription,
): ParameterParser<T> =>
  Object.assign((...raw: Parameters<ParameterParser<T>>) => parse(...raw), { described: description });

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

function single(raw: string | string[] | undefined, name: string): string | undefined {
  if (Array.isArray(raw)) throw new ParameterError(`${name} must be sent once`);
  return raw;
}

interface Range {
  readonly min: number;
  readonly max: number;
}

function integer(text: string, name: string, { min, max }: Range): number {
  const value = Number(text);
  if (!/^\d{1,16}$/.test(text) || value < min || value > max) {
    throw new ParameterError(
      max === Number.MAX_SAFE_INTEGER
        ? `${name} must be an integer of ${min} or more`
        : `${name} must be an integer from ${min} to ${max}`,
    );
  }
  return value;
}

/** `limit` (clause 4.2): most rows in a page, 1 to PAGE_ROWS. Default 10. */
export const limit = described(
  (raw, name) => integer(single(raw, name) ?? '10', name, { min: 1, max: PAGE_ROWS }),
  { description: 'The most rows of the page', schema: { ...integerSchema(1, PAGE_ROWS), default: 10 } },
);

/** `offset` (clause 4.2): number of rows to skip. Default 0. */
export const offset = described(
  (raw, name) => integer(single(raw, name) ?? '0', name, { min: 0, max: Number.MAX_SAFE_INTEGER }),
  {
    description: 'How many rows to skip. Not together with `after`',
    schema: { ...integerSchema(0), default: 0 },
  },
);

/** `after`: the `next` of another page of the list, not with an offset. Undefined where it is absent. */
export const after = described(
  (raw, name, query) => {
    const cursor = single(raw, name);
    if (cursor === undefined) return undefined;
    if (idOfCursor(cursor) === undefined) throw new ParameterError(`${name} ${NO_CURSOR}`);
    if (Number(query['offset']) > 0) throw new ParameterError(`${name} ${NO_OFFSET}`);
    return cursor;
  },
  {
    description:
      'The `next` of the page before, for the page behind it. Not together with `offset`. A page ends early, ' +
      'with fewer rows than `limit`, where its answer would exceed 10 MiB.',
    schema: CURSOR,
  },
);

/** `true` or `false`. Default false. */
export const flag: ParameterParser<boolean> = (raw, name) => {
  const value = single(raw, name) ?? 'false';
  if (value !== 'true' && value !== 'false') throw new ParameterError(`${name} must be true or false`);
  return value === 'true';
};

/** `true` or `false`. Undefined where it is absent. */
export const optionalFlag = (description: string): ParameterParser<boolean | undefined> =>
  described((...raw) => (raw[0] === undefined ? undefined : flag(...raw)), {
    description,
    schema: { type: 'boolean' },
  });

/** `archived` (clause 4.2): whether archived rows are included. Default false. */
export const archived = described(flag, {
  description: 'true includes archived rows',
  schema: { type: 'boolean', default: false },
});

/** Most characters of `q`. */
const MOST_SOUGHT = 254;

/** Greatest number of a version of a router. */
const MOST_VERSIONS = 2 ** 31 - 1;

/** `version` of a router (contract section 6): `live`, `draft` or a number. Default live. */
export const version = described<'live' | 'draft' | number>(
  (raw, name) => {
    const value = single(raw, name) ?? 'live';
    if (value === 'live' || value === 'draft') return value;
    const number = /^\d{1,10}$/.test(value) ? Number(value) : 0;
    if (number < 1 || number > MOST_VERSIONS)
      throw new ParameterError(`${name} must be live, draft or the number of a version`);
    return number;
  },
  {
    schema: { type: 'string', maxLength: 10, pattern: '^(live|draft|[1-9]\\d{0,9})$', default: 'live' },
    description:
      'Which version to read; `live` unless given. Of a router that was never published, `live` is the draft. ' +
      'Only the live version of a published router has `is_published: true`.',
  },
);

/** A text that is sent at most once. Undefined where it is absent. */
export const optionalText: ParameterParser<string | undefined> = (raw, name) => {
  const value = single(raw, name);
  const problem = textProblem(value);
  if (value === '' || problem !== undefined)
    throw new ParameterError(`${name} ${problem ?? 'must not be empty'}`);
  return value;
};

/** An instant that is sent at most once. Undefined where it is absent. */
export const instant = (description: string): ParameterParser<Date | undefined> =>
  described(
    (raw, name, query) => {
      const sent = optionalText(raw, name, query);
      if (sent === undefined) return undefined;
      const milliseconds = parseInstant(sent);
      if (milliseconds === undefined) throw new ParameterError(`${name} must be an ISO 8601 date and time`);
      return new Date(milliseconds);
    },
    { description, schema: INSTANT },
  );

/** What the OpenAPI document says of one of some words. */
type WordDescription = Omit<ParameterDescription, 'schema'>;

/** One of some words, sent at most once. Undefined where it is absent and not required. */
export function oneOf<Word extends string>(
  words: readonly Word[],
  about: WordDescription & { readonly required: true },
): ParameterParser<Word>;
export function oneOf<Word extends string>(
  words: readonly Word[],
  about: WordDescription,
): ParameterParser<Word | undefined>;
export function oneOf(words: readonly string[], about: WordDescription): ParameterParser<string | undefined> {
  const parse: ParameterParser<string | undefined> = (raw, name) => {
    const sent = single(raw, name);
    if ((sent === undefined && about.required !== true) || words.includes(sent ?? '')) return sent;
    throw new ParameterError(`${name} must be ${words.length > 1 ? 'one of ' : ''}${words.join(', ')}`);
  };
  return described(parse, { ...about, schema: wordOf(words) });
}

/** An integer of a range, sent at most once. Undefined where it is absent. */
export const optionalInteger = (
  { min, max }: Range,
  description: string,
): ParameterParser<number | undefined> =>
  described(
    (raw, name) => {
      const sent = single(raw, name);
      return sent === undefined ? undefined : integer(sent, name, { min, max });
    },
    { description, schema: integerSchema(min, max) },
  );

/** `q` of lists (contract section 6): what a word of a name or an e-mail begins with, in compared form. */
export const q = described<string | undefined>(
  (raw, name, query) => {
    const value = optionalText(raw, name, query);
    const key = value === undefined ? undefined : nameKey(value);
    if (key === '' || (key?.length ?? 0) > MOST_SOUGHT)
      throw new ParameterError(`${name} must be a text of 1 to ${MOST_SOUGHT} characters`);
    return key;
  },
  {
    description: 'Those whose name or e-mail begins with it, or a word of that, in any case',
    schema: { type: 'string', minLength: 1, maxLength: MOST_SOUGHT, pattern: '^[^\\u0000]*$' },
  },
);

/** `dry_run` of what changes the configuration (contract section 6). Default false. */
export const dry_run = described(flag, {
  description: 'true checks and answers as ever, with `changes`, and writes nothing',
  schema: { type: 'boolean', default: false },
});

/** Names, comma-separated or repeated or both. The service checks them. */
const names: ParameterParser<readonly string[]> = (raw) =>
  raw === undefined ? [] : [raw].flat().flatMap((part) => part.split(',').map((name) => name.trim()));

const NAMES: Schema = { type: 'string', maxLength: 10_000, pattern: '^[^\\u0000]*$' };

/** Up to 100 texts, such as ids: comma-separated, repeated, or both. Undefined where it is absent. */
export const several = (description: string): ParameterParser<readonly string[] | undefined> =>
  described(
    (raw, name, query) => {
      if (raw === undefined) return undefined;
      const sent = names(raw, name, query);
      if (sent.length > PAGE_ROWS || sent.some((text) => text === '' || textProblem(text) !== undefined))
        throw new ParameterError(`${name} must be 1 to ${PAGE_ROWS} texts`);
      return sent;
    },
    { description: `${description}: up to ${PAGE_ROWS}, comma-separated, repeated, or both`, schema: NAMES },
  );

/** `properties` (clause 2.3): names of fields. */
export const properties = described(names, {
  schema: NAMES,
  description:
    'Fields to return beside the default ones, such as `create_date,last_modified_date`: comma-separated, ' +
    'repeated, or both',
});

/** `expand` (contract section 7): names of references. @param description of those that the route has */
export const expandOf = (description: string): ParameterParser<readonly string[]> =>
  described(names, { schema: NAMES, description });
