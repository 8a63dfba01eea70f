import { OBJECT_TYPES } from '../../fields/index.js';
import { closedObject, listOf, NAME, text, wordOf, type Schema, type Schemas } from '../../http/index.js';
import { managedSchemas } from '../change/managed-schemas.js';

/** The body of a request that creates a field. */
export const FIELD_EXAMPLE = {
  object_type: 'contacts',
  internal_name: 'region',
  label: 'Region',
  type: 'enumeration',
  options: [{ internal_name: 'emea', label: 'EMEA' }, { internal_name: 'apac' }],
};

/** What an answer shows of it. */
export const FIELD_SHOWN = {
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
export const FIELD_CHANGES_EXAMPLE = {
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

/** Returns the schemas of fields in the OpenAPI document. */
export function fieldSchemas(): Schemas {
  const required = ['object_type', 'internal_name', 'type'];
  const shown = {
    standard: { type: 'boolean' as const, description: 'Every account has it, and it cannot be removed' },
    options: options(closedObject({ internal_name: OPTION_NAME, label: NAME })),
  };
  const sometimes = { target_object_type: TARGET };
  const sent = {
    options: options(closedObject({ internal_name: OPTION_NAME }, { label: NAME })),
    ...sometimes,
  };
  const example = FIELD_SHOWN;
  return managedSchemas('Field', { values: VALUES, required, shown, sometimes, sent, example });
}
