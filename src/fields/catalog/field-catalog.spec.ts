import type { FieldDefinition } from '../field-definition.js';
import { OBJECT_TYPES } from '../object-type.js';
import { FieldCatalog } from './field-catalog.js';
import { STANDARD_FIELDS } from './standard-fields.js';

const custom: FieldDefinition = {
  objectType: 'contacts',
  internalName: 'account_manager',
  label: 'Account manager',
  type: 'user',
  options: [],
  standard: false,
};
const fields = [...OBJECT_TYPES.flatMap((objectType) => STANDARD_FIELDS[objectType]), custom];
const catalog = new FieldCatalog(fields);

describe('FieldCatalog', () => {
  it('finds fields by object type and name', () => {
    expect(catalog.get('contacts', 'account_manager')).toBe(custom);
    expect(catalog.get('deals', 'account_manager')).toBeUndefined();
    for (const name of ['', 'Email', 'id', '__proto__', 'constructor']) {
      expect(catalog.get('contacts', name)).toBeUndefined();
    }
  });

  it('lists the fields and the user fields of a type', () => {
    expect(catalog.all('contacts')).toEqual([...STANDARD_FIELDS.contacts, custom]);
    expect(catalog.userFieldNames('contacts')).toEqual(['contact_owner', 'account_manager']);
    expect(catalog.userFieldNames('deals')).toEqual(['deal_owner']);
  });

  it('shares the fields of the types to which an account has added nothing', () => {
    const again = new FieldCatalog(structuredClone(fields));
    expect(again.all('deals')).toBe(catalog.all('deals'));
    expect(again.all('contacts')).not.toBe(catalog.all('contacts'));
    expect(again.own).toEqual([...STANDARD_FIELDS.contacts, custom]);
    for (const change of [
      { label: 'Other' },
      { type: 'number' },
      { options: [{ internalName: 'a', label: 'A' }] },
      { long: true },
    ]) {
      const others = fields.map((field) => (field.objectType === 'deals' ? { ...field, ...change } : field));
      expect(new FieldCatalog(others).all('deals')).toEqual(
        others.filter((field) => field.objectType === 'deals'),
      );
    }
  });

  it('lists the fields for long texts', () => {
    const notes = { ...custom, internalName: 'notes', type: 'string', long: true };
    const built = new FieldCatalog([...fields, notes, { ...notes, internalName: 'short', long: false }]);
    expect(built.longFields('contacts')).toEqual(['notes']);
    expect(built.longFields('deals')).toEqual([]);
  });

  it('does not follow later changes of the list it was built from', () => {
    const list = [...fields];
    const built = new FieldCatalog(list);
    list.pop();
    expect(built.get('contacts', 'account_manager')).toBe(custom);
  });

  it('adds the assigned dates of custom user fields to the system-managed names', () => {
    expect(catalog.isSystemManaged('contacts', 'account_manager_assigned_date')).toBe(true);
    expect(catalog.isSystemManaged('deals', 'account_manager_assigned_date')).toBe(false);
    expect(catalog.isSystemManaged('deals', 'deal_owner_assigned_date')).toBe(true);
    expect(catalog.isSystemManaged('deals', 'record_id')).toBe(true);
    expect(catalog.isSystemManaged('deals', 'amount')).toBe(false);
  });

  it('is empty without fields', () => {
    expect(new FieldCatalog([]).all('tickets')).toEqual([]);
  });
});

describe('resolveProperties', () => {
  it('takes fields, system-managed fields and assigned dates, in the order named', () => {
    const names = [
      'phone',
      'record_id',
      'email',
      'account_manager_assigned_date',
      'create_date',
      'contact_owner_assigned_date',
      'last_modified_date',
      'account_manager',
    ];
    expect(catalog.resolveProperties('contacts', names)).toEqual({ extras: names, invalid: [] });
  });

  it('collapses duplicates', () => {
    expect(catalog.resolveProperties('deals', ['amount', 'x', 'pipeline', 'amount', 'x'])).toEqual({
      extras: ['amount', 'pipeline'],
      invalid: ['x'],
    });
  });

  it('tolerates what every response contains', () => {
    const names = ['id', 'archived', 'created_at', 'updated_at'];
    expect(catalog.resolveProperties('deals', names)).toEqual({ extras: [], invalid: [] });
  });

  it.each([
    '',
    ' ',
    'archived_by',
    'Amount',
    'email',
    'x_owner_assigned_date',
    'amount_assigned_date',
    '__proto__',
  ])('refuses %j for deals', (name) => {
    expect(catalog.resolveProperties('deals', ['amount', name])).toEqual({
      extras: ['amount'],
      invalid: [name],
    });
  });

  it('asks for nothing when nothing is named', () => {
    expect(catalog.resolveProperties('tickets', [])).toEqual({ extras: [], invalid: [] });
  });
});
