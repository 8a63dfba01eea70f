import type { FieldDefinition } from '../field-definition.js';
import { NUMBER } from './number-field-type.js';

const type = NUMBER;
const field: FieldDefinition = {
  objectType: 'deals',
  internalName: 'amount',
  label: 'Amount',
  type: 'number',
  options: [],
  standard: true,
};

describe('NumberFieldType', () => {
  it.each([
    [0, '0'],
    [-0, '0'],
    [5, '5'],
    [-1.5, '-1.5'],
    [1e21, '1000000000000000000000'],
    [1e-7, '0.0000001'],
    [Number.MAX_VALUE, `17976931348623157${'0'.repeat(292)}`],
    [5e-324, `0.${'0'.repeat(323)}5`],
    ['0', '0'],
    ['-0', '0'],
    ['5', '5'],
    ['+5', '5'],
    ['05', '5'],
    ['12.50', '12.5'],
    ['-12.50', '-12.5'],
    ['1200.00', '1200'],
    ['0.1', '0.1'],
    ['99999999999999999999', '99999999999999999999'],
    ['12345678901234567890.12345678901234567890', '12345678901234567890.1234567890123456789'],
  ])('takes %j as %j, which it takes as it is [contract 3]', (value, stored) => {
    expect(type.parse(value, field)).toEqual({ ok: true, value: stored });
    expect(type.parse(stored, field)).toEqual({ ok: true, value: stored });
  });

  it.each([
    [' 5 '],
    ['5 '],
    [' '],
    ['0x10'],
    ['.5'],
    ['5.'],
    ['1e21'],
    ['1e+21'],
    ['1E5'],
    ['1,5'],
    ['1_000'],
    ['٣'],
    ['NaN'],
    ['Infinity'],
    ['abc'],
    ['5\0'],
    [true],
    [false],
    [NaN],
    [Infinity],
    [-Infinity],
    [[]],
    [[5]],
    [{}],
    [undefined],
    [5n],
  ])('refuses %p and says what it accepts', (value: unknown) => {
    const message =
      'amount must be a finite number: a JSON number, or a plain decimal string such as "5" or "-12.50"';
    expect(type.parse(value, field)).toEqual({ ok: false, message });
  });

  it('takes what its refusal names', () => {
    const { message } = type.parse('x', field) as { message: string };
    const named = [...message.matchAll(/"([^"]+)"/g)].map(([, example]) => example);
    expect(named).toHaveLength(2);
    for (const example of named) expect(type.parse(example, field)).toMatchObject({ ok: true });
  });

  it('is as long as a text may be [contract 3]', () => {
    const longest = '9'.repeat(16_384);
    expect(type.parse(longest, field)).toEqual({ ok: true, value: longest });
    expect(type.parse(`${longest}9`, field)).toEqual({
      ok: false,
      message: 'amount must have at most 16384 bytes in UTF-8',
    });
  });

  it.each([
    ['9', '10'],
    ['-10', '-9.5'],
    ['999', '1e+21'],
    ['1e-7', '0.1'],
    ['9007199254740992', '9007199254740993'],
  ])('compares %j as less than %j, also where an earlier version has stored them', (less, more) => {
    expect(type.comparisonKey(less)! < type.comparisonKey(more)!).toBe(true);
  });

  it.each([['abc'], ['Infinity'], [' 5'], ['']])('compares %j as text', (stored) => {
    expect(type.comparisonKey(stored)).toBeUndefined();
  });
});
