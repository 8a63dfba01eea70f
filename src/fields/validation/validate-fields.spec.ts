import fc from 'fast-check';
import { storm } from '../../../test/support/storm.js';
import { FieldCatalog } from '../catalog/field-catalog.js';
import { STANDARD_FIELDS } from '../catalog/standard-fields.js';
import type { FieldDefinition } from '../field-definition.js';
import { OBJECT_TYPES, type ObjectType } from '../object-type.js';
import { BUILT_IN_FIELD_TYPES } from '../types/built-in-field-types.js';
import type { FieldEnvironment } from '../types/field-type.js';
import { FieldTypeRegistry } from '../types/field-type-registry.js';
import { ownerChanges, validateFields } from './validate-fields.js';

function custom(internalName: string, type: string): FieldDefinition {
  return { objectType: 'contacts', internalName, label: internalName, type, options: [], standard: false };
}

const catalog = new FieldCatalog([
  ...OBJECT_TYPES.flatMap((objectType) => STANDARD_FIELDS[objectType]),
  custom('account_manager', 'user'),
  custom('vip', 'bool'),
  custom('raw', 'raw'),
  custom('lost', 'no_longer_registered'),
]);
const types = new FieldTypeRegistry([
  ...BUILT_IN_FIELD_TYPES,
  {
    id: 'raw',
    parse: (value) => ({ ok: true, value: typeof value === 'string' ? value : 'other' }),
  },
  { id: 'nul', parse: () => ({ ok: true, value: '\0' }) },
]);
const environment: FieldEnvironment = {
  findUser: (idOrEmail) => (idOrEmail === 'ada@acme.test' ? { email: 'ada@acme.test' } : undefined),
};

function create(objectType: ObjectType, input: unknown) {
  return validateFields(input, { mode: 'create', objectType }, { catalog, types, environment });
}

function update(objectType: ObjectType, input: unknown) {
  return validateFields(input, { mode: 'update', objectType }, { catalog, types, environment });
}

function changes(entries: Record<string, string | null>) {
  return { ok: true, changes: new Map(Object.entries(entries)) };
}

describe('validateFields', () => {
  it.each([[undefined], [null], [[]], [['email']], ['email'], [5], [true], [new Map()], [() => 1]])(
    'refuses %p, which is no object',
    (input: unknown) => {
      const errors = [{ field: 'fields', message: 'fields must be an object of field names and values' }];
      expect(create('contacts', input)).toEqual({ ok: false, errors });
      expect(update('contacts', input)).toEqual({ ok: false, errors });
    },
  );

  it('gives the stored values in the order of the body', () => {
    const result = update('contacts', {
      vip: 'true',
      email: ' Ada@Acme.test',
      contact_owner: 'ADA@acme.test',
      phone: 5,
    });
    expect(result).toEqual(
      changes({ vip: 'true', email: 'ada@acme.test', contact_owner: 'ada@acme.test', phone: '5' }),
    );
    expect(result.ok && [...result.changes.keys()]).toEqual(['vip', 'email', 'contact_owner', 'phone']);
  });

  it('takes an object without a prototype', () => {
    const input = Object.assign(Object.create(null) as object, { phone: '1' });
    expect(update('contacts', input)).toEqual(changes({ phone: '1' }));
  });

  it('clears with null and blank text, whatever the type [contract 3]', () => {
    for (const empty of [null, '', ' ', ' \u00a0\ufeff\r\n\t\u3000']) {
      const input = Object.fromEntries(catalog.all('contacts').map((field) => [field.internalName, empty]));
      const cleared = Object.fromEntries(Object.keys(input).map((name) => [name, null]));
      expect(update('contacts', input)).toEqual(changes(cleared));
      expect(create('contacts', { ...input, email: 'a@b.c' })).toEqual(changes({ email: 'a@b.c' }));
    }
  });

  it('clears with an e-mail of blanks, which is no e-mail for the required rule either', () => {
    expect(update('contacts', { email: '  ' })).toEqual(changes({ email: null }));
    expect(create('contacts', { email: '  ' }).ok).toBe(false);
  });

  it('changes nothing when nothing is sent', () => {
    for (const objectType of OBJECT_TYPES) expect(update(objectType, {})).toEqual(changes({}));
  });

  it('reports every failing field in the order of the body', () => {
    const input = {
      vip: 1,
      nickname: 'x',
      first_name: 'Ada',
      record_id: '1',
      website_url: 'localhost',
      contact_owner: 'bob@acme.test',
      contact_owner_assigned_date: null,
      account_manager_assigned_date: '',
    };
    expect(create('contacts', input)).toEqual({
      ok: false,
      errors: [
        { field: 'vip', message: 'vip must be true, false, "true" or "false"' },
        { field: 'nickname', message: 'Unknown field: nickname' },
        { field: 'record_id', message: 'Field cannot be set: record_id' },
        {
          field: 'website_url',
          message: 'website_url must be a web address or host name, such as example.com',
        },
        {
          field: 'contact_owner',
          message: 'contact_owner is not a user of the account (send an id or e-mail)',
        },
        { field: 'contact_owner_assigned_date', message: 'Field cannot be set: contact_owner_assigned_date' },
        {
          field: 'account_manager_assigned_date',
          message: 'Field cannot be set: account_manager_assigned_date',
        },
      ],
    });
  });

  it.each([
    'id',
    'archived',
    'archived_by',
    'created_at',
    'updated_at',
    'record_id',
    'create_date',
    'last_modified_date',
  ])('refuses the system-managed %s, even to clear it', (name) => {
    const errors = [{ field: name, message: `Field cannot be set: ${name}` }];
    expect(update('deals', { [name]: null })).toEqual({ ok: false, errors });
  });

  it('refuses fields of another object type', () => {
    const errors = [{ field: 'email', message: 'Unknown field: email' }];
    expect(update('deals', { email: 'a@b.c' })).toEqual({ ok: false, errors });
    expect(update('deals', { email: null })).toEqual({ ok: false, errors });
  });

  it.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty', ''])(
    'refuses %j like any unknown field',
    (name) => {
      const input: unknown = JSON.parse(`{${JSON.stringify(name)}: "x"}`);
      expect(update('contacts', input)).toEqual({
        ok: false,
        errors: [{ field: name, message: `Unknown field: ${name}` }],
      });
    },
  );

  it('ignores inherited keys', () => {
    expect(update('contacts', Object.create({ nickname: 'x' }))).toEqual(changes({}));
  });

  it('shortens and cleans the names it repeats', () => {
    const long = `${'x'.repeat(99)}…`;
    expect(
      update('contacts', {
        ['x'.repeat(5000)]: 1,
        'a\0\uD800': 2,
        [`${'x'.repeat(5000)}_owner_assigned_date`]: 3,
      }),
    ).toEqual({
      ok: false,
      errors: [
        { field: long, message: `Unknown field: ${long}` },
        { field: 'a\uFFFD\uFFFD', message: 'Unknown field: a\uFFFD\uFFFD' },
        { field: long, message: `Field cannot be set: ${long}` },
      ],
    });
  });

  it('reports a field whose type is not registered', () => {
    const errors = [{ field: 'lost', message: 'lost has a type this service does not know' }];
    expect(update('contacts', { lost: 'x' })).toEqual({ ok: false, errors });
  });

  it('takes the types of extensions, but not what the database cannot store', () => {
    expect(update('contacts', { raw: 'x' })).toEqual(changes({ raw: 'x' }));
    const nul = new FieldCatalog([custom('raw', 'nul')]);
    expect(
      validateFields(
        { raw: 'x' },
        { mode: 'update', objectType: 'contacts' },
        { catalog: nul, types, environment },
      ),
    ).toEqual({
      ok: false,
      errors: [{ field: 'raw', message: 'raw must not contain the NUL character (U+0000)' }],
    });
  });
});

describe('required fields on create (clause 2.7)', () => {
  it('are not met by cleared fields', () => {
    const input = { phone: '1', email: null, first_name: '' };
    const errors = [{ message: 'At least one of email, first_name, last_name is required' }];
    expect(create('contacts', input)).toEqual({ ok: false, errors });
    expect(update('contacts', input).ok).toBe(true);
  });

  it('comes in the same pass as other errors and does not report a failed field twice', () => {
    expect(create('deals', { deal_stage: 'none', x: 1 })).toEqual({
      ok: false,
      errors: [
        {
          field: 'deal_stage',
          message: 'deal_stage must be one of: new, qualified, proposal, negotiation, won, lost',
        },
        { field: 'x', message: 'Unknown field: x' },
        { field: 'deal_name', message: 'Required field: deal_name' },
        { field: 'pipeline', message: 'Required field: pipeline' },
      ],
    });
    const { errors } = create('contacts', { email: {} }) as { errors: unknown[] };
    expect(errors).toEqual([{ field: 'email', message: 'email must be a string, a number or a boolean' }]);
  });
});

describe('validateFields, whatever is sent', () => {
  const names = fc.oneof(
    fc.constantFrom(
      ...OBJECT_TYPES.flatMap((objectType) => catalog.all(objectType).map((field) => field.internalName)),
    ),
    fc.constantFrom('__proto__', 'constructor', 'id', 'x_owner_assigned_date'),
    fc.string({ unit: 'binary' }),
  );
  const body = fc
    .array(fc.tuple(names, fc.jsonValue()), { maxLength: 8 })
    .map(
      (entries) =>
        JSON.parse(
          `{${entries.map((pair) => pair.map((part) => JSON.stringify(part)).join(':')).join()}}`,
        ) as unknown,
    );

  it('never throws, and has errors exactly when it is not ok', () => {
    fc.assert(
      fc.property(
        fc.oneof(body, fc.jsonValue(), fc.anything()),
        fc.constantFrom(...OBJECT_TYPES),
        fc.constantFrom('create' as const, 'update' as const),
        (input, objectType, mode) => {
          const result = validateFields(input, { mode, objectType }, { catalog, types, environment });
          if (!result.ok) {
            expect(result.errors.length).toBeGreaterThan(0);
            return;
          }
          for (const [name, value] of result.changes) {
            expect(Object.keys(input as object)).toContain(name);
            expect(value).not.toBe('');
            if (mode === 'create') expect(value).not.toBeNull();
          }
          const again = validateFields(
            Object.fromEntries(result.changes),
            { mode, objectType },
            { catalog, types, environment },
          );
          expect(again).toEqual(result);
        },
      ),
      { numRuns: storm(1000) },
    );
  });
});

describe('ownerChanges', () => {
  it('names the user fields among the changes, set or cleared', () => {
    const list = new Map([
      ['email', 'a@b.c'],
      ['account_manager', null],
      ['contact_owner', 'ada@acme.test'],
    ]);
    expect(ownerChanges(list, 'contacts', catalog)).toEqual(['account_manager', 'contact_owner']);
    expect(ownerChanges(list, 'deals', catalog)).toEqual([]);
  });
});

describe('a create', () => {
  it.each([
    ['contacts', 'At least one of email, first_name, last_name is required'],
    ['companies', 'At least one of company_name, website_url is required'],
  ] as const)('of %s needs one of several [2.7]', (objectType, message) => {
    expect(create(objectType, {})).toEqual({ ok: false, errors: [{ message }] });
    expect(create(objectType, { phone: '1' })).toEqual({ ok: false, errors: [{ message }] });
  });

  it.each([
    ['contacts', 'email'],
    ['contacts', 'first_name'],
    ['contacts', 'last_name'],
    ['companies', 'company_name'],
    ['companies', 'website_url'],
  ] as const)('of %s is complete with %s [2.7]', (objectType, present) => {
    expect(create(objectType, { [present]: 'x.example' }).ok).toBe(true);
  });

  it.each([
    ['deals', { deal_name: 'a', deal_stage: 'new', pipeline: 'default' }],
    ['tickets', { ticket_name: 'a', ticket_stage: 'new', pipeline: 'default' }],
  ] as const)('of %s needs each of several [2.7]', (objectType, whole) => {
    const errors = Object.keys(whole).map((field) => ({ field, message: `Required field: ${field}` }));
    expect(create(objectType, {})).toEqual({ ok: false, errors });
    expect(create(objectType, whole).ok).toBe(true);
    for (const [index, field] of Object.keys(whole).entries()) {
      expect(create(objectType, { ...whole, [field]: null })).toEqual({ ok: false, errors: [errors[index]] });
    }
  });
});
