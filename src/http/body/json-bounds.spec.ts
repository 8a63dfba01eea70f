import { exceededBound, MAX_DEPTH, MAX_KEYS, MAX_VALUES } from './json-bounds.js';

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
