import { configurationOf } from '../../test/units/configuration.js';
import { user } from '../../test/units/engine-fixtures.js';
import { BUILT_IN_FIELD_TYPES, FieldTypeRegistry } from '../fields/index.js';
import { fieldLookup } from './field-lookup.js';

const types = new FieldTypeRegistry(BUILT_IN_FIELD_TYPES);
const phone = {
  objectType: 'contacts' as const,
  internalName: 'mobile',
  label: 'Mobile',
  type: 'phone',
  options: [],
  standard: false,
};
const { catalog, directory } = configurationOf({ users: [user('ada')], fields: [phone] });
const lookup = fieldLookup(catalog, types, directory);

describe('the fields that triggers see', () => {
  it("are the account's, by object type [contract 4]", () => {
    expect(lookup('contacts', 'email')?.definition).toBe(catalog.get('contacts', 'email'));
    expect(lookup('deals', 'email')).toBeUndefined();
  });

  it.each(['create_date', 'last_modified_date', 'contact_owner_assigned_date'])(
    'are the dates that the service manages: %s [2.5, contract 4]',
    (name) => expect(lookup('contacts', name)?.definition).toMatchObject({ type: 'datetime' }),
  );

  it('are not those of a type that nobody has registered', () => {
    expect(catalog.get('contacts', 'mobile')).toBe(phone);
    expect(lookup('contacts', 'mobile')).toBeUndefined();
  });

  it('read operands as records store them, users in any form [contract 4]', () => {
    const owner = lookup('contacts', 'contact_owner');
    for (const text of ['ADA@acme.test', 'id-ada']) {
      expect(owner?.parse(text)).toEqual({ ok: true, value: 'ada@acme.test' });
    }
    expect(owner?.parse('nobody@acme.test').ok).toBe(false);
  });

  it('compare values by the order of their type, where it has one [contract 4]', () => {
    const create = lookup('contacts', 'create_date');
    const keys = ['2026-01-01T00:00:00.000Z', '2026-01-02T00:00:00.000Z'].map((text) => create?.comparisonKey(text));
    expect(keys[0]! < keys[1]!).toBe(true);
    expect(lookup('contacts', 'contact_owner')?.comparisonKey('ada@acme.test')).toBeUndefined();
  }); // prettier-ignore
});
