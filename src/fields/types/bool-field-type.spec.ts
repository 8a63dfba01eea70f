import type { FieldDefinition } from '../field-definition.js';
import { BOOL } from './built-in-field-types.js';

const type = BOOL;
const field: FieldDefinition = {
  objectType: 'contacts',
  internalName: 'vip',
  label: 'VIP',
  type: 'bool',
  options: [],
  standard: false,
};

describe('BoolFieldType', () => {
  it.each([
    [true, 'true'],
    ['true', 'true'],
    [false, 'false'],
    ['false', 'false'],
  ])('takes %p as %j', (value, stored) => {
    expect(type.parse(value, field)).toEqual({ ok: true, value: stored });
  });

  it.each([
    ['TRUE'],
    ['True'],
    [' true'],
    ['yes'],
    ['1'],
    ['true\0'],
    [1],
    [0],
    [NaN],
    [[]],
    [[true]],
    [{}],
    [undefined],
  ])('refuses %p', (value: unknown) => {
    const message = 'vip must be true, false, "true" or "false"';
    expect(type.parse(value, field)).toEqual({ ok: false, message });
  });
});
