import fc from 'fast-check';
import { isPlainObject } from '../../text/is-plain-object.js';
import { LongNumber } from '../../text/long-number.js';
import { parseJson } from './parse-json.js';

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
