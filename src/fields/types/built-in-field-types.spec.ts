import fc from 'fast-check';
import { storm } from '../../../test/support/storm.js';
import type { FieldDefinition } from '../field-definition.js';
import { BUILT_IN_FIELD_TYPES } from './built-in-field-types.js';
import type { FieldEnvironment } from './field-type.js';

const emails = ['ada@acme.test', 'bob@acme.test'];
const environment: FieldEnvironment = {
  findUser: (idOrEmail) => (emails.includes(idOrEmail) ? { email: idOrEmail } : undefined),
};

function field(type: string, internalName: string, options: readonly string[] = []): FieldDefinition {
  const list = options.map((name) => ({ internalName: name, label: `${name} ${options.join('')}` }));
  const definition = {
    objectType: 'contacts',
    internalName,
    label: internalName,
    type,
    standard: true,
  } as const;
  return { ...definition, options: list, ...(type === 'reference' && { target: 'companies' }) };
}

const text = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }));
const anything = fc.oneof(
  text,
  fc.double(),
  fc.double().map(String),
  fc.integer({ min: -9_000_000_000, max: 9_000_000_000 }),
  fc.integer({ min: -9_000_000_000_000, max: 9_000_000_000_000 }).map(String),
  fc.boolean(),
  fc.constantFrom('true', 'FALSE', 'ADA@acme.test', ' bob@ACME.test'),
  fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
  fc.date({ noInvalidDate: true }).map((date) => date.toUTCString()),
  fc.uuid(),
  fc.emailAddress(),
  fc.webUrl(),
  fc.jsonValue(),
  fc.anything(),
);

describe('every built-in field type', () => {
  it('is one of clause 2.6, or a reference', () => {
    expect(BUILT_IN_FIELD_TYPES.map((type) => type.id)).toEqual([
      'string',
      'number',
      'bool',
      'datetime',
      'enumeration',
      'user',
      'reference',
    ]);
  });

  const cases = BUILT_IN_FIELD_TYPES.flatMap((type) =>
    (type.id === 'string' ? ['first_name', 'email', 'website_url', 'external_id'] : ['some_field']).map(
      (name) => [type.id, name, type] as const,
    ),
  );

  it.each(cases)('%s (%s) never throws and parses its stored values to themselves', (id, name, type) => {
    fc.assert(
      fc.property(anything, fc.uniqueArray(text, { maxLength: 5 }), (value, names) => {
        const definition = field(id, name, names);
        for (const input of [value, ...names, ...names.map((each) => each.toUpperCase())]) {
          const result = type.parse(input, definition, environment);
          if (!result.ok) expect(result.message).toMatch(new RegExp(`^${name} `));
          else if (result.value !== '')
            expect(type.parse(result.value, definition, environment)).toEqual(result);
        }
      }),
      { numRuns: storm(200) },
    );
  });

  it.each(cases)('%s (%s) refuses text that PostgreSQL cannot store', (id, name, type) => {
    for (const broken of ['a\0b.com', '\uD800', 'true\0', '2026-01-01\0', '5\0', '\uDC00.com']) {
      expect(type.parse(broken, field(id, name, [broken]), environment).ok).toBe(false);
    }
  });
});
