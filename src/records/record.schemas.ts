import {
  OBJECT_TYPE_RULES,
  OBJECT_TYPES,
  STANDARD_FIELDS,
  type FieldDefinition,
  type ObjectType,
} from '../fields/index.js';
import { ID, pageOf, text, TIME, type Schema, type Schemas } from '../http/index.js';

/**
 * Returns the names of an object type's schemas in the OpenAPI document: `Contact`, `ContactWrite`,
 * `ContactList`.
 */
export function schemaNames(objectType: ObjectType): { view: string; write: string; list: string } {
  const { singular } = OBJECT_TYPE_RULES[objectType];
  const view = singular.charAt(0).toUpperCase() + singular.slice(1);
  return { view, write: `${view}Write`, list: `${view}List` };
}

/**
 * Returns the schemas of the four object types, built from the standard fields. Custom fields are additional
 * properties.
 */
export function recordSchemas(): Schemas {
  return Object.fromEntries(
    OBJECT_TYPES.flatMap((objectType) => {
      const names = schemaNames(objectType);
      return [
        [names.view, viewSchema(objectType)],
        [names.write, writeSchema(objectType)],
        [names.list, pageOf(names.view)],
      ];
    }),
  );
}

const INSTANT: Schema = { ...TIME, examples: ['2026-03-01T09:30:00.000Z'] };

function viewSchema(objectType: ObjectType): Schema {
  const { defaultFields } = OBJECT_TYPE_RULES[objectType];
  const values = defaultFields.map((name): [string, Schema] => [name, { type: ['string', 'null'] }]);
  return {
    type: 'object',
    required: ['id', ...defaultFields, 'created_at', 'updated_at', 'archived'],
    properties: {
      id: ID,
      ...Object.fromEntries(values),
      created_at: INSTANT,
      updated_at: INSTANT,
      archived: {
        description: 'false when active, the time of archiving when archived',
        oneOf: [{ type: 'boolean', enum: [false] }, INSTANT],
      },
      archived_by: text('Only when archived'),
    },
    additionalProperties: { type: ['string', 'null'], description: 'Fields named in `properties`' },
  };
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
        additionalProperties: { type: ['string', 'number', 'boolean', 'null'] },
      },
    },
  };
}

function inputSchema({ type, label, options }: FieldDefinition): Schema {
  switch (type) {
    case 'number':
      return { type: ['number', 'string', 'null'], description: label };
    case 'datetime':
      return {
        type: ['string', 'number', 'null'],
        description: `${label}: ISO 8601, RFC 2822 or a timestamp`,
      };
    case 'enumeration': {
      const names = options.map((option) => option.internalName).join(', ');
      return {
        type: ['string', 'null'],
        description: `${label}: one of ${names}, and options of the account`,
      };
    }
    case 'user':
      return { type: ['string', 'null'], description: `${label}: UUID or e-mail of a user of the account` };
    default:
      return { type: ['string', 'number', 'boolean', 'null'], description: label };
  }
}
