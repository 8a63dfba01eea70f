import { textProblem } from '../../text/text-problem.js';
import { idOfCursor, NO_CURSOR, NO_OFFSET, PAGE_ROWS } from '../../paging/index.js';
import { ParameterError, type ParameterParser } from './query-parameters.js';

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
export const limit: ParameterParser<number> = (raw, name) =>
  integer(single(raw, name) ?? '10', name, { min: 1, max: PAGE_ROWS });

/** `offset` (clause 4.2): number of rows to skip. Default 0. */
export const offset: ParameterParser<number> = (raw, name) =>
  integer(single(raw, name) ?? '0', name, { min: 0, max: Number.MAX_SAFE_INTEGER });

/** `after`: the `next` of another page of the list, not with an offset. Undefined where it is absent. */
export const after: ParameterParser<string | undefined> = (raw, name, query) => {
  const cursor = single(raw, name);
  if (cursor === undefined) return undefined;
  if (idOfCursor(cursor) === undefined) throw new ParameterError(`${name} ${NO_CURSOR}`);
  if (Number(query['offset']) > 0) throw new ParameterError(`${name} ${NO_OFFSET}`);
  return cursor;
};

/** `true` or `false`. Default false. */
export const flag: ParameterParser<boolean> = (raw, name) => {
  const value = single(raw, name) ?? 'false';
  if (value !== 'true' && value !== 'false') throw new ParameterError(`${name} must be true or false`);
  return value === 'true';
};

/** `archived` (clause 4.2): whether archived rows are included. Default false. */
export const archived: ParameterParser<boolean> = (raw, name, query) => flag(raw, name, query);
/** Greatest number of a version of a router. */
const MOST_VERSIONS = 2 ** 31 - 1;

/** `version` of a router (contract section 6): `live`, `draft` or a number. Default live. */
export const version: ParameterParser<'live' | 'draft' | number> = (raw, name) => {
  const value = single(raw, name) ?? 'live';
  if (value === 'live' || value === 'draft') return value;
  const number = /^\d{1,10}$/.test(value) ? Number(value) : 0;
  if (number < 1 || number > MOST_VERSIONS)
    throw new ParameterError(`${name} must be live, draft or the number of a version`);
  return number;
};

/** A text that is sent at most once. Undefined where it is absent. */
export const optionalText: ParameterParser<string | undefined> = (raw, name) => {
  const value = single(raw, name);
  const problem = textProblem(value);
  if (value === '' || problem !== undefined)
    throw new ParameterError(`${name} ${problem ?? 'must not be empty'}`);
  return value;
};

/** `properties` (clause 2.3): names, comma-separated or repeated or both. The service checks the names. */
export const properties: ParameterParser<readonly string[]> = (raw) =>
  raw === undefined ? [] : [raw].flat().flatMap((part) => part.split(',').map((name) => name.trim()));
