import { BUILT_IN_FIELD_TYPES } from './built-in-field-types.js';
import type { FieldType } from './field-type.js';
import { FieldTypeRegistry } from './field-type-registry.js';

const phone: FieldType = {
  id: 'phone',
  parse: (value) => ({ ok: true, value: String(value) }),
};

describe('FieldTypeRegistry', () => {
  it('finds built-in and added types by id', () => {
    const registry = new FieldTypeRegistry([...BUILT_IN_FIELD_TYPES, phone]);
    expect(registry.get('phone')).toBe(phone);
    expect(registry.get('number')?.id).toBe('number');
    expect(registry.ids()).toEqual([
      'string',
      'number',
      'bool',
      'datetime',
      'enumeration',
      'user',
      'reference',
      'phone',
    ]);
  });

  it('knows no other', () => {
    const registry = new FieldTypeRegistry(BUILT_IN_FIELD_TYPES);
    for (const id of ['', 'NUMBER', '__proto__', 'constructor']) expect(registry.get(id)).toBeUndefined();
  });

  it('refuses two types with one id', () => {
    expect(() => new FieldTypeRegistry([...BUILT_IN_FIELD_TYPES, { ...phone, id: 'user' }])).toThrow(
      'Two field types have the id "user"',
    );
  });
});
