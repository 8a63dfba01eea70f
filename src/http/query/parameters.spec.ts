import type { DomainError } from '../../errors/domain-error.js';
import { Failures } from '../../errors/errors.js';
import { cursorBehind } from '../../paging/index.js';
import {
  after,
  archived,
  limit,
  offset,
  parseQuery,
  properties,
  type ParameterParser,
  type ParameterParsers,
  type RawQuery,
} from './parameters.js';

const PARSERS = { limit, offset, archived, properties };
const DEFAULTS = { limit: 10, offset: 0, archived: false, properties: [] };

/** The parameters of a query without failures. */
function read<T extends object>(query: RawQuery, parsers: ParameterParsers<T>): Partial<T> {
  const failures = new Failures();
  const parameters = parseQuery(query, parsers, failures);
  expect(failures.toError()).toBeUndefined();
  return parameters;
}

/** The 400 with which a query is refused. */
function refusal(query: RawQuery, parsers: Record<string, ParameterParser<unknown>> = PARSERS): DomainError {
  const failures = new Failures();
  parseQuery(query, parsers, failures);
  const error = failures.toError();
  if (error === undefined) throw new Error(`accepted: ${JSON.stringify(query)}`);
  return error;
}

describe('a query string', () => {
  it('has a default for every parameter [4.2, 8]', () => {
    expect(read({}, PARSERS)).toEqual(DEFAULTS);
  });

  it.each([
    [{ limit: '1' }, { limit: 1 }],
    [{ limit: '100' }, { limit: 100 }],
    [{ limit: '007' }, { limit: 7 }],
    [{ offset: '0' }, { offset: 0 }],
    [{ offset: '9007199254740991' }, { offset: Number.MAX_SAFE_INTEGER }],
    [{ archived: 'true' }, { archived: true }],
    [{ archived: 'false' }, { archived: false }],
    [{ properties: 'phone' }, { properties: ['phone'] }],
    [{ properties: 'phone, city' }, { properties: ['phone', 'city'] }],
    [{ properties: ['phone,city', 'state'] }, { properties: ['phone', 'city', 'state'] }],
    [{ properties: '' }, { properties: [''] }],
    [{ properties: 'phone,' }, { properties: ['phone', ''] }],
  ] as [RawQuery, object][])('%j is read [2.3, 4.2]', (query, meaning) => {
    expect(read(query, PARSERS)).toEqual({ ...DEFAULTS, ...meaning });
  });

  const LIMIT = 'limit must be an integer from 1 to 100';
  const OFFSET = 'offset must be an integer of 0 or more';
  it.each([
    ['limit', '0', LIMIT],
    ['limit', '101', LIMIT],
    ['limit', '-1', LIMIT],
    ['limit', '', LIMIT],
    ['limit', ' 5', LIMIT],
    ['limit', '5.0', LIMIT],
    ['limit', '1e1', LIMIT],
    ['limit', '0x5', LIMIT],
    ['limit', '٣', LIMIT],
    ['limit', 'NaN', LIMIT],
    ['limit', ['5', '5'], 'limit must be sent once'],
    ['offset', '-1', OFFSET],
    ['offset', '1.5', OFFSET],
    ['offset', '9007199254740992', OFFSET],
    ['offset', '99999999999999999999', OFFSET],
    ['offset', '', OFFSET],
    ['archived', '', 'archived must be true or false'],
    ['archived', '1', 'archived must be true or false'],
    ['archived', 'TRUE', 'archived must be true or false'],
    ['archived', ['true', 'true'], 'archived must be sent once'],
  ] as [string, string | string[], string][])('%s=%j is refused [4.2, 8]', (name, value, message) => {
    const { status, message: said, details } = refusal({ [name]: value });
    expect({ status, said, details }).toEqual({
      status: 400,
      said: message,
      details: { field: name, errors: [{ field: name, message }] },
    });
  });

  it('may have the next of another page, once [contract 3]', () => {
    const cursor = cursorBehind('01a1fe1c-5be2-7aa0-8d0c-61ddf2f1a7d5');
    expect(read({}, { after })).toEqual({ after: undefined });
    expect(read({ after: cursor }, { after })).toEqual({ after: cursor });
    for (const bad of ['', 'x', `${cursor} `, '01a1fe1c-5be2-7aa0-8d0c-61ddf2f1a7d5']) {
      const message = 'after must be the next of another page of this list';
      expect(refusal({ after: bad }, { after })).toMatchObject({ message, details: { field: 'after' } });
    }
    expect(refusal({ after: [cursor, cursor] }, { after }).message).toBe('after must be sent once');
    expect(read({ after: cursor, offset: '0' }, { after, offset })).toEqual({ after: cursor, offset: 0 });
    expect(
      refusal({ after: cursor, offset: '5', limit: '0' }, { after, limit, offset }).details.errors,
    ).toEqual([
      { field: 'after', message: 'after cannot be sent together with an offset' },
      { field: 'limit', message: LIMIT },
    ]);
  });

  it('is refused with everything that is wrong in it at once [contract 1]', () => {
    const { message, details } = refusal({ limit: '0', offset: 'x', Limit: '5', constructor: '1' });
    expect(details.field).toBeUndefined();
    expect(details.errors?.map(({ field }) => field)).toEqual(['Limit', 'constructor', 'limit', 'offset']);
    expect(message).toBe(
      'Unknown query parameter: Limit (allowed: limit, offset, archived, properties) (and 3 more)',
    );
  });

  it('with any parameter is refused where there are none [contract 1]', () => {
    const { message } = refusal({ limit: '1' }, {});
    expect(message).toBe('Unknown query parameter: limit (this route takes none)');
  });

  it('is not shown longer names than a person reads [contract 1]', () => {
    const { details, message } = refusal({ ['x'.repeat(10_000)]: '1' });
    expect(details.field!.length).toBeLessThanOrEqual(100);
    expect(message.length).toBeLessThan(300);
  });

  it('does not hide a mistake of the program', () => {
    const mistake = new TypeError('a mistake');
    const parse = (): never => {
      throw mistake;
    };
    expect(() => read({}, { x: parse })).toThrow(mistake);
  });
});
