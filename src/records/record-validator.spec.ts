import { configurationOf } from '../../test/units/configuration.js';
import { user } from '../../test/units/engine-fixtures.js';
import { Failures } from '../errors/errors.js';
import { BUILT_IN_FIELD_TYPES, FieldTypeRegistry } from '../fields/index.js';
import { parseSettings } from '../settings/settings.js';
import { RecordValidator } from './record-validator.js';

const validator = new RecordValidator(
  new FieldTypeRegistry(BUILT_IN_FIELD_TYPES),
  parseSettings({ RECORD_LIMIT: '1kb' }),
);
const CONFIGURATION = configurationOf({
  version: '7',
  users: [user('ada')],
  fields: [
    {
      objectType: 'contacts',
      internalName: 'notes',
      label: 'Notes',
      type: 'string',
      options: [],
      standard: false,
      long: true,
    },
  ],
});
const findRecord = (): undefined => undefined;

const validate = (
  mode: 'create' | 'update',
  fields: unknown,
  selection = {},
): ReturnType<RecordValidator['validate']> =>
  validator.validate(CONFIGURATION, { objectType: 'contacts', mode, fields, findRecord }, selection);

/** What a write is refused with. */
function refusal(...asked: Parameters<typeof validate>): object {
  try {
    validate(...asked);
  } catch (error) {
    const { status, code, details } = error as {
      status: number;
      code: string;
      details: { errors: object[] };
    };
    return { status, code, errors: details.errors };
  }
  throw new Error('It is not refused');
}

describe('a valid write', () => {
  it('has its values as they are stored, its owners and the limit of the record [2.4, 2.6]', () => {
    const fields = { email: ' Ada@X.example', contact_owner: 'ADA@acme.test', city: null };
    const { values, extras } = validate('update', fields, { properties: ['city', 'id', 'create_date'] });
    expect(values).toMatchObject({
      objectType: 'contacts',
      version: '7',
      owners: ['contact_owner'],
      limit: { bytes: 1024, apart: ['notes'] },
    });
    expect(Object.fromEntries(values.changes)).toEqual({
      email: 'ada@x.example',
      contact_owner: 'ada@acme.test',
      city: null,
    });
    expect(extras).toEqual(['city', 'create_date']);
  });
});

describe('a write that is not valid', () => {
  it('is refused for all that is wrong, what was known before and the properties first [contract 1]', () => {
    const failures = new Failures();
    failures.add(() => ({ field: 'id_property', message: 'id_property is unknown' }));
    const refused = refusal('create', { shoe: 1, email: [] }, { properties: ['', 'sock'], failures });
    expect(refused).toMatchObject({ status: 400, code: 'invalid_fields' });
    expect((refused as { errors: { field: string }[] }).errors.map(({ field }) => field)).toEqual([
      'id_property',
      'properties',
      'properties',
      'shoe',
      'email',
    ]);
  });

  it('is refused for its form alone where it has no fields [contract 1]', () => {
    const failures = new Failures();
    const known = { field: 'fields', message: 'fields is required' };
    failures.add(() => known);
    expect(refusal('create', undefined, { failures })).toEqual({
      status: 400,
      code: 'invalid_request',
      errors: [known],
    });
  });

  it('is refused where a new record would be too large; that of a record is known when it is read [2.4]', () => {
    const city = 'x'.repeat(1024);
    const message = 'city would make the fields of this record larger than 1024 bytes together';
    expect(refusal('create', { first_name: 'Ada', city })).toMatchObject({
      errors: [{ field: 'city', message }],
    });
    expect(validate('update', { city }).values.changes.get('city')).toBe(city);
    expect(validate('create', { first_name: 'Ada', notes: city }).values.changes.get('notes')).toBe(city);
  });
});

describe('the value of a key', () => {
  const key = (property: string, value: unknown): object =>
    validator.key(CONFIGURATION, 'companies', { property, value: value as string });

  it('is as it is stored [2.8]', () => {
    expect(key('website_url', 'https://www.X.example/a')).toEqual({
      key: { property: 'website_url', value: 'x.example' },
    });
  });

  it('is none where it is empty [2.8]', () => {
    for (const value of ['', null])
      expect(key('external_id', value)).toEqual({
        key: undefined,
        error: { field: 'external_id', message: 'external_id must not be empty' },
      });
  });

  it('is none where it cannot be stored, and that is said [2.8]', () => {
    expect(key('website_url', 'no host!')).toMatchObject({ key: undefined, error: { field: 'website_url' } });
  });
});
