import type { FieldDefinition } from '../field-definition.js';
import { NumberFieldType } from './number-field-type.js';

const type = new NumberFieldType();
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
    [1e21, '1e+21'],
    [5e-324, '5e-324'],
    [Number.MAX_VALUE, '1.7976931348623157e+308'],
    ['0', '0'],
    ['5', '5'],
    ['-1.5', '-1.5'],
    ['1e+21', '1e+21'],
    ['0.1', '0.1'],
  ])('takes %j as %j', (value, stored) => {
    expect(type.parse(value, field)).toEqual({ ok: true, value: stored });
  });

  it.each([
    [' 5 '],
    ['5 '],
    [' '],
    ['0x10'],
    ['1.50'],
    ['05'],
    ['+5'],
    ['.5'],
    ['5.'],
    ['-0'],
    ['1e21'],
    ['1,5'],
    ['1_000'],
    ['٣'],
    ['99999999999999999999'],
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
      'amount must be a finite number: a JSON number, or a plain decimal string such as "5" or "1.5"';
    expect(type.parse(value, field)).toEqual({ ok: false, message });
  });

  it.each([
    ['9', 9],
    ['-1.5', -1.5],
    ['1e+21', 1e21],
    ['abc', undefined],
    ['05', undefined],
    ['Infinity', undefined],
  ])('compares %j as %j', (stored, key) => {
    expect(type.comparisonKey(stored)).toBe(key);
  });
});
