import {
  OBJECT_TYPE_RULES,
  OBJECT_TYPES,
  STANDARD_FIELDS,
  type FieldDefinition,
  type ObjectType,
} from '../fields/index.js';
import {
  ARCHIVED,
  ID,
  orNull,
  pageOf,
  reference,
  text,
  TIME,
  type Schema,
  type Schemas,
} from '../http/index.js';
import { capitalized } from '../text/capitalized.js';
import { viewExample } from './record.examples.js';

/** Returns the names of an object type's schemas in the OpenAPI document: `Contact`, `ContactWrite`. */
export function schemaNames(objectType: ObjectType) {
  const view = capitalized(OBJECT_TYPE_RULES[objectType].singular);
  return {
    view,
    write: `${view}Write`,
    list: `${view}List`,
    found: `${view}SearchPage`,
    results: `${view}BatchResults`,
    history: 'RecordHistoryPage',
  };
}

/** The schemas of the four object types, of the standard fields. Custom fields are additional. */
export function recordSchemas(): Schemas {
  return Object.fromEntries(
    OBJECT_TYPES.flatMap((objectType) => {
      const names = schemaNames(objectType);
      return [
        [names.view, { ...viewSchema(objectType), examples: [viewExample(objectType)] }],
        [names.write, writeSchema(objectType)],
        [names.list, pageOf(names.view, viewExample(objectType))],
      ];
    }),
  );
}

/** Most characters of the text of a standard field: it has at most so many bytes. */
const MOST_TEXT = 16 * 1024;

function viewSchema(objectType: ObjectType): Schema {
  const { defaultFields } = OBJECT_TYPE_RULES[objectType];
  const values = defaultFields.map((name): [string, Schema] => [
    name,
    orNull(text('As it is stored; null for none', MOST_TEXT)),
  ]);
  return {
    type: 'object',
    required: ['id', ...defaultFields, 'created_at', 'updated_at', 'archived'],
    properties: {
      id: ID,
      ...Object.fromEntries(values),
      created_at: TIME,
      updated_at: TIME,
      archived: {
        ...ARCHIVED,
        description: 'false when active, the time of archiving when archived',
      },
      archived_by: text('Only when archived'),
      ...referenceSchemas(objectType),
    },
    // Strings and null, of the fields that `properties` names. Said so, it would be of `archived` too for the
    // types that generators make of it.
    additionalProperties: true,
  };
}

/** The schemas of the references of a view, which is there with `properties` or `expand` only. */
function referenceSchemas(objectType: ObjectType): Schemas {
  const schemas: Schemas = {};
  for (const { internalName, target } of STANDARD_FIELDS[objectType]) {
    if (target === undefined || target === null) continue;
    const { view } = schemaNames(target);
    const id = orNull(
      text(`Only when named by \`properties\`: the id of the ${OBJECT_TYPE_RULES[target].singular}`),
    );
    schemas[internalName] = { oneOf: [id, { ...reference(view), description: 'With `expand`' }] };
  }
  return schemas;
}

function writeSchema(objectType: ObjectType): Schema {
  const rule = OBJECT_TYPE_RULES[objectType].requiredOnCreate;
  const required =
    'allOf' in rule
      ? `On create, required: ${rule.allOf.join(', ')}.`
      : `On create, at least one of: ${rule.anyOf.join(', ')}.`;
  const properties = STANDARD_FIELDS[objectType].map((field): [string, Schema] => [
    field.internalName,
    inputSchema(field),
  ]);
  return {
    type: 'object',
    required: ['fields'],
    additionalProperties: false,
    properties: {
      fields: {
        type: 'object',
        description: `${required} null or "" clears a field. Custom fields go beside the standard ones.`,
        properties: Object.fromEntries(properties),
        additionalProperties: true,
      },
    },
  };
}

/** What values of a type may be, and how they are described. */
const INPUTS: Readonly<Record<string, readonly [types: readonly string[], description: string]>> = {
  number: [['number', 'string', 'null'], ': a number, or a decimal as text, which is kept exactly'],
  datetime: [['string', 'number', 'null'], ': ISO 8601, RFC 2822 or a timestamp'],
  enumeration: [['string', 'null'], ': one of '],
  user: [['string', 'null'], ': UUID or e-mail of a user of the account'],
  reference: [['string', 'object', 'null'], ': the id of an active '],
};
const TEXT = [['string', 'number', 'boolean', 'null'], ''] as const;

function inputSchema({ type, label, options, target }: FieldDefinition): Schema {
  const [types, description] = INPUTS[type] ?? TEXT;
  const { singular, uniqueKeys } = OBJECT_TYPE_RULES[target ?? 'contacts'];
  const more: Readonly<Record<string, string>> = {
    enumeration: `${options.map(({ internalName }) => internalName).join(', ')}, and options of the account`,
    reference: `${singular}, or an object with one of ${uniqueKeys.join(', ')}`,
  };
  const schema = text(`${label}${description}${more[type] ?? ''}`, MOST_TEXT);
  return { ...schema, type: types as Schema['type'] & {}, ...(type === 'reference' && { maxProperties: 1 }) };
}
