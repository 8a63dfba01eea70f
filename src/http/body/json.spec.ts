import fc from 'fast-check';
import { isPlainObject } from '../../text/is-plain-object.js';
import { LongNumber } from '../../text/long-number.js';
import { exceededBound, MAX_DEPTH, MAX_KEYS, MAX_VALUES, parseJson } from './json.js';

const boundOf = (text: string): string | undefined => exceededBound(Buffer.from(text));
const list = (count: number, item: string): string => `[${Array(count).fill(item).join(',')}]`;
const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
const object = (count: number, first = 0): string =>
  `{${Array.from({ length: count }, (_, index) => `"k${first + index}":1`).join(',')}}`;

const DEEP = `The body nests arrays and objects more than ${MAX_DEPTH} levels deep`;
const WIDE = `The body has an object with more than ${MAX_KEYS} keys`;
const LONG = `The body has more than ${MAX_VALUES} values`;

describe('the bounds of a JSON text', () => {
  it.each([
    ['no text', ''],
    ['a number', '1'],
    ['brackets in strings', `"${'['.repeat(MAX_DEPTH + 1)}"`],
    ['brackets after an escaped quote', String.raw`["\"${'['.repeat(MAX_DEPTH + 1)}"]`],
    ['brackets beside each other', list(100, '[]')],
    ['the most levels', nested(MAX_DEPTH)],
    ['the most keys', object(MAX_KEYS)],
    ['the most keys in each of several objects', list(5, object(MAX_KEYS))],
    ['the most keys, with objects between them', `{"a":${object(MAX_KEYS)},"b":${object(MAX_KEYS - 1)}}`],
    ['colons and commas in strings', `["${':,'.repeat(MAX_VALUES)}"]`],
    ['the most values', list(MAX_VALUES, '1')],
    ['half a text', '{"a":[1,'],
    ['closing brackets alone', ']}'.repeat(100)],
  ])('hold for %s', (_, text) => expect(boundOf(text)).toBeUndefined());

  it.each([
    ['one level too many', nested(MAX_DEPTH + 1), DEEP],
    ['a level too many after an escaped backslash', String.raw`["\\",` + nested(MAX_DEPTH), DEEP],
    ['open brackets', '['.repeat(1_000_000), DEEP],
    ['one key too many', object(MAX_KEYS + 1), WIDE],
    ['one key too many in a list', `[1,[2,${object(MAX_KEYS + 1)}]]`, WIDE],
    ['one key too many, with an object between them', `{"a":${object(3)},${object(MAX_KEYS).slice(1)}`, WIDE],
    ['one value too many', list(MAX_VALUES + 1, '1'), LONG],
    ['too many values in several lists', list(10, list(MAX_VALUES / 10, '[]')), LONG],
  ])('are exceeded by %s', (_, text, message) => expect(boundOf(text)).toBe(message));
});

/** What a text is parsed to, with the digits of long numbers as texts in a list. */
const shown = (text: string): unknown =>
  JSON.parse(
    JSON.stringify(parseJson(text), (_key, each: unknown) =>
      each instanceof LongNumber ? [String(each)] : each,
    ),
  );

describe('a JSON text', () => {
  it.each([
    ['{"a": 1, "b": -1.5e3, "c": 123456789012345}', { a: 1, b: -1500, c: 123456789012345 }],
    ['12345678901234567890', ['12345678901234567890']],
    ['{"a":[-0.12345678901234567890 ,1]}', { a: [['-0.12345678901234567890'], 1] }],
    ['[9007199254740993,9007199254740993]', [['9007199254740993'], ['9007199254740993']]],
    ['{"12345678901234567890":1,"a":"12345678901234567890"}', { '12345678901234567890': 1, a: '12345678901234567890' }],
    ['["\\"12345678901234567890", 0.00000000000000000001, 1.0000000000000000e2]', ['"12345678901234567890', 1e-20, 100]],
    ['["\\\\",12345678901234567890]', ['\\', ['12345678901234567890']]],
  ])('keeps every digit: %s [contract 3]', (text, value) => expect(shown(text)).toEqual(value)); // prettier-ignore

  it.each(['', '{', '01234567890123456789', '[1234567890123456789.]', '12345678901234567890x', '"12345678901234567890'])(
    'is refused where it is none: %j',
    (text) => expect(() => parseJson(text)).toThrow(SyntaxError),
  ); // prettier-ignore

  it('is infinite beyond the largest double, with whatever digits [contract 3]', () => {
    expect(parseJson('9'.repeat(400))).toBe(Infinity);
    expect(parseJson(`[-${'9'.repeat(400)}.5]`)).toEqual([-Infinity]);
    expect(parseJson('9'.repeat(308))).toBeInstanceOf(LongNumber);
  });

  it('is what JSON.parse makes of it, but for long numbers', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 4 }), fc.boolean(), (text, isLong) => {
        const value: unknown = JSON.parse(text);
        const marked = isLong ? `[${text},12345678901234567890]` : text;
        const parsed = parseJson(marked);
        const got = isLong ? (parsed as unknown[])[0] : parsed;
        const doubles = JSON.stringify(got, (_key, each: unknown) =>
          each instanceof LongNumber ? each.valueOf() : each,
        );
        expect(doubles).toBe(JSON.stringify(value));
      }),
    );
  });
});

describe('a long number', () => {
  it('is neither an object nor a number, and is near a double', () => {
    const long = parseJson('12345678901234567890') as LongNumber;
    expect(isPlainObject(long)).toBe(false);
    expect(Number.isFinite(long)).toBe(false);
    expect(Number(long)).toBe(12345678901234567000);
    expect(Object.keys(long)).toEqual([]);
  });
});
