import { FieldDto, OBJECT_TYPES, type ObjectType } from '../../fields/index.js';
import {
  closedObject,
  described,
  listOf,
  NAME,
  optionalText,
  ParameterError,
  text,
  wordOf,
  type Schema,
  type Schemas,
} from '../../http/index.js';
import { managedController } from '../managed/managed.controller.js';
import type { KindDocs } from '../managed/managed-docs.js';
import { FieldsKind } from './fields.kind.js';

/** The body of a request that creates a field. */
const FIELD_EXAMPLE = {
  object_type: 'contacts',
  internal_name: 'region',
  label: 'Region',
  type: 'enumeration',
  options: [{ internal_name: 'emea', label: 'EMEA' }, { internal_name: 'apac' }],
};

/** What an answer shows of it. */
const FIELD_SHOWN = {
  ...FIELD_EXAMPLE,
  standard: false,
  long: false,
  indexed: false,
  options: [
    { internal_name: 'emea', label: 'EMEA' },
    { internal_name: 'apac', label: 'apac' },
  ],
};

/** The body of a request that changes a field. */
const FIELD_CHANGES_EXAMPLE = {
  label: 'Sales region',
  options: [{ internal_name: 'emea' }, { internal_name: 'apac' }, { internal_name: 'latam', label: 'LATAM' }],
};

const OPTION_NAME: Schema = {
  type: 'string',
  minLength: 1,
  maxLength: 100,
  pattern: '^[A-Za-z0-9][A-Za-z0-9 _.-]*$',
  description: 'What records hold',
};

const options = (items: Schema): Schema => ({
  ...listOf(items, 5_000),
  description: 'Only of an enumeration. In a PATCH: all of them, and the others are removed',
});

const VALUES: Schemas = {
  object_type: wordOf(OBJECT_TYPES),
  internal_name: text('The key of the field in records; never changes'),
  label: NAME,
  type: text(
    '`string`, `number`, `bool`, `datetime`, `enumeration`, `user`, `reference` or of an extension; never changes',
  ),
  long: { type: 'boolean', description: 'Takes texts of up to 256 KiB; only a custom field of type string' },
  indexed: {
    type: 'boolean',
    description:
      'Has an index for searches, which is built in the background; not a long field, and no unique key or owner, ' +
      'which have one anyway; at most 20 fields of an object type',
  },
};

const TARGET = wordOf(
  OBJECT_TYPES,
  'Of a field of type `reference`, which needs it: the type of the records that it names; never changes',
);

export const FIELD_DOCS: KindDocs = {
  one: 'field',
  many: 'fields',
  notes: {
    create: 'An archived field with the name becomes active again, with the values of records.',
    update:
      'Changes the keys that the body has: `options` is the whole list, of which what records, triggers or ' +
      'capacities name cannot be left out. The type and the names of a field stay.',
    archive: 'Hides a custom field with its values. Refused while a router or a capacity names it.',
  },
  values: VALUES,
  required: ['object_type', 'internal_name', 'type'],
  shown: {
    standard: { type: 'boolean', description: 'Every account has it, and it cannot be removed' },
    options: options(closedObject({ internal_name: OPTION_NAME, label: NAME })),
  },
  sometimes: { target_object_type: TARGET },
  sent: {
    options: options(closedObject({ internal_name: OPTION_NAME }, { label: NAME })),
    target_object_type: TARGET,
  },
  example: FIELD_EXAMPLE,
  changes: FIELD_CHANGES_EXAMPLE,
  shownExample: FIELD_SHOWN,
};

/** An object type that is sent at most once. Undefined where it is absent. */
const objectType = described<ObjectType | undefined>(
  (raw, name, query) => {
    const value = optionalText(raw, name, query);
    const known = OBJECT_TYPES.find((type) => type === value);
    if (value !== known) throw new ParameterError(`${name} must be one of ${OBJECT_TYPES.join(', ')}`);
    return known;
  },
  { schema: { type: 'string', enum: [...OBJECT_TYPES] } },
);

/** `/fields` (contract section 6). */
export const FieldsController = managedController({
  kind: FieldsKind,
  docs: FIELD_DOCS,
  dto: FieldDto,
  read: ['records:read', 'manage'],
  filters: { object_type: objectType },
});
