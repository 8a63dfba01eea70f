import {
  BUILT_IN_FIELD_TYPES,
  FieldTypeRegistry,
  STANDARD_FIELDS,
  type FieldDefinition,
  type FieldDto,
  type FieldsRepository,
} from '../../../fields/index.js';
import { done, newRun, refused } from '../../testing/apply.js';
import { STANDARD } from '../../../configuration/testing/configuration.js';
import type { ConfigurationChange } from '../../change/configuration-change.js';
import type { FieldUses } from '../../fields/field-uses.js';
import { FieldsEditor } from '../../fields/fields.editor.js';
import { FieldsSection } from './fields.section.js';

const REGION: FieldDefinition = {
  objectType: 'contacts',
  internalName: 'region',
  label: 'Region',
  type: 'enumeration',
  options: [
    { internalName: 'emea', label: 'EMEA' },
    { internalName: 'apac', label: 'APAC' },
  ],
  standard: false,
};
const NOTES: FieldDefinition = {
  objectType: 'contacts',
  internalName: 'notes',
  label: 'Notes',
  type: 'string',
  options: [],
  standard: false,
  long: true,
};

/** The standard fields, an enumeration and a long text: notes what is written. */
class FakeFields {
  readonly written: any[] = [];

  listAll(): Promise<object[]> {
    const fields = [...STANDARD, REGION, NOTES];
    return Promise.resolve(fields.map((field) => ({ long: false, ...field, archivedAt: null })));
  }
  insert(...[, , fields]: Parameters<FieldsRepository['insert']>): Promise<void> {
    this.written.push(...fields.map(({ id: _, ...field }) => field));
    return Promise.resolve();
  }
  update(...[, , { archivedAt, ...field }]: Parameters<FieldsRepository['update']>): Promise<void> {
    expect(archivedAt).toBeNull();
    this.written.push(field);
    return Promise.resolve();
  }
}

let fields: FakeFields;
beforeEach(() => (fields = new FakeFields()));

const apply = async (...dtos: Omit<FieldDto, 'object_type'>[]): Promise<ConfigurationChange> => {
  const run = newRun();
  const editor = new FieldsEditor(
    fields as unknown as FieldsRepository,
    new FieldTypeRegistry(BUILT_IN_FIELD_TYPES),
    {} as FieldUses,
  );
  const section = new FieldsSection(editor);
  const contacts = dtos.map((dto) => ({ object_type: 'contacts' as const, ...dto }));
  await section.apply(run, { slug: 'acme', ...(dtos.length === 0 ? {} : { fields: contacts }) });
  return run;
};
const option = (internal_name: string, label?: string) => ({
  internal_name,
  ...(label === undefined ? {} : { label }),
});

describe('a new field of a file', () => {
  it('is added behind those of its type, labelled by its name unless told [contract 5]', async () => {
    const run = await apply({ internal_name: 'score', type: 'number' }, { internal_name: 'vip', type: 'bool', label: 'VIP' });
    expect(done(run)).toEqual(['create field contacts.score', 'create field contacts.vip']);
    const field = { objectType: 'contacts', options: [], standard: false, long: false };
    const position = STANDARD_FIELDS.contacts.length + 2;
    expect(fields.written).toMatchObject([
      { ...field, internalName: 'score', label: 'score', type: 'number', position },
      { ...field, internalName: 'vip', label: 'VIP', type: 'bool', position: position + 1 },
    ]);
  }); // prettier-ignore

  it('may be an enumeration with options, labelled by their names unless told [contract 5]', async () => {
    await apply({ internal_name: 'tier', type: 'enumeration', options: [option('a'), option('b', 'B')] });
    expect(fields.written[0].options).toEqual([
      { internalName: 'a', label: 'a' },
      { internalName: 'b', label: 'B' },
    ]);
  });

  it('may be a long text [contract 3, contract 5]', async () => {
    const run = await apply({ internal_name: 'minutes', type: 'string', long: true });
    expect(done(run)).toEqual(['create field contacts.minutes']);
    expect(fields.written).toMatchObject([{ internalName: 'minutes', long: true }]);
  });

  it.each([
    [{ internal_name: 'x', type: 'number', long: true }, 'long: only a custom field of type string can be long, this one is of type number'],
    [{ internal_name: 'x', type: 'bool', long: false }, 'long: only a custom field of type string can be long, this one is of type bool'],
    [{ internal_name: 'x' }, 'type: type must be one of string, number, bool, datetime, enumeration, user, reference'],
    [{ internal_name: 'x', type: 'phone' }, 'type: type must be one of string, number, bool, datetime, enumeration, user, reference'],
    [{ internal_name: 'record_id', type: 'string' }, 'internal_name: internal_name record_id is reserved'],
    [{ internal_name: 'tier', type: 'enumeration' }, 'options: an enumeration needs at least one option'],
    [{ internal_name: 'tier', type: 'enumeration', options: [option('a'), option('A')] }, 'options: the option A is named twice'],
    [{ internal_name: 'x', type: 'string', options: [] }, 'options: a string field has no options'],
  ])('is refused as %j [contract 5]', async (dto, message) => {
    const run = await apply(dto);
    expect(refused(run)).toEqual([`fields[0].${message}`]);
  }); // prettier-ignore

  it('may not have the name that a user field before it reserves [2.5, contract 5]', async () => {
    const run = await apply(
      { internal_name: 'partner', type: 'user' },
      { internal_name: 'partner_assigned_date', type: 'datetime' },
      { internal_name: 'score', type: 'number' },
    );
    expect(refused(run)).toEqual([
      'fields[1].internal_name: internal_name partner_assigned_date is reserved',
    ]);
    expect(done(run)).toEqual(['create field contacts.partner', 'create field contacts.score']);
  });

  it('may have the name of a field of another type of object [contract 5]', async () => {
    expect(done(await apply({ internal_name: 'deal_name', type: 'string' }))).toHaveLength(1);
  });
});

describe('a field that exists', () => {
  it('gets the options of the file at the end, and new labels; none is taken away [contract 5]', async () => {
    const run = await apply({ internal_name: 'region', options: [option('amer'), option('EMEA', 'Europe')] });
    expect(done(run)).toEqual(['update field contacts.region (options)']);
    expect(fields.written).toEqual([
      {
        ...REGION,
        long: false,
        options: [
          { internalName: 'emea', label: 'Europe' },
          { internalName: 'apac', label: 'APAC' },
          { internalName: 'amer', label: 'amer' },
        ],
      },
    ]);
  });

  it('gets a new label [contract 5]', async () => {
    expect(done(await apply({ internal_name: 'city', label: 'Town' }))).toEqual([
      'update field contacts.city (label)',
    ]);
    expect(fields.written).toMatchObject([{ internalName: 'city', label: 'Town', standard: true }]);
  });

  it('becomes long and short again, and stays as long as it was unless told [contract 3, contract 5]', async () => {
    for (const long of [false, undefined, true]) {
      const run = await apply({
        internal_name: 'notes',
        label: 'Notes',
        ...(long === undefined ? {} : { long }),
      });
      expect(done(run)).toEqual(long === false ? ['update field contacts.notes (long)'] : []);
    }
    await apply({ internal_name: 'notes', label: 'Text' });
    expect(fields.written).toEqual([
      { ...NOTES, long: false },
      { ...NOTES, label: 'Text' },
    ]);
  });

  it.each([
    { internal_name: 'region' },
    { internal_name: 'region', type: 'enumeration', label: 'Region', options: [option('apac')] },
    { internal_name: 'city', type: 'string' },
  ])('stays as it is where it is so already: %j [contract 5]', async (dto) => {
    expect((await apply(dto)).changes).toEqual([]);
    expect(fields.written).toEqual([]);
  });

  it.each([
    [{ internal_name: 'region', type: 'string' }, 'type: the type of contacts.region is enumeration and cannot change'],
    [{ internal_name: 'city', label: 'Town', options: [option('a')] }, 'options: a string field has no options'],
    [{ internal_name: 'region', options: [option('a'), option('a')] }, 'options: the option a is named twice'],
    [{ internal_name: 'region', long: true }, 'long: only a custom field of type string can be long, this one is of type enumeration'],
    [{ internal_name: 'city', long: true }, 'long: only a custom field of type string can be long, this one is standard'],
    [{ internal_name: 'external_id', long: true }, 'long: only a custom field of type string can be long, this one is standard'],
  ])('is refused as %j, and nothing of it changed [contract 5]', async (dto, message) => {
    const run = await apply(dto);
    expect(refused(run)).toEqual([`fields[0].${message}`]);
    expect(fields.written).toEqual([]);
  }); // prettier-ignore
});

describe('a file without fields', () => {
  it('changes none', async () => {
    expect((await apply()).changes).toEqual([]);
  });
});
