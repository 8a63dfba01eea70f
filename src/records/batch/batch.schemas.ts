import { OBJECT_TYPES, type ObjectType } from '../../fields/index.js';
import {
  closedObject,
  errorProperties,
  FAILING_FIELDS,
  integer,
  listOf,
  reference,
  text,
  type Schema,
  type Schemas,
} from '../../http/index.js';
import { capitalized } from '../../text/capitalized.js';
import { EXPAND, PROPERTIES } from '../name-list.schemas.js';
import { viewExample } from '../record.examples.js';
import { schemaNames } from '../record.schemas.js';
import { BATCH_ACTIONS, BATCH_RULES, MOST_INPUTS, type BatchAction } from './batch.dto.js';

/** The name of the schema of the body of a batch: `BatchUpdate`. */
export const batchName = (action: BatchAction): string => `Batch${capitalized(action)}`;

/** The name of the schema of what a batch is answered: `ContactBatchResults`. */
export const resultsName = (objectType: ObjectType): string => `${schemaNames(objectType).view}BatchResults`;

const PARTS: Readonly<Record<'id' | 'fields', Schema>> = {
  id: text('The id of a record; with `id_property`, the value of that key', 16_384),
  fields: {
    type: 'object',
    additionalProperties: true,
    description: 'As in a request of its own',
  },
};

function body(action: BatchAction): Schema {
  const { keys, byKey } = BATCH_RULES[action];
  const input = closedObject(Object.fromEntries(keys.map((key) => [key, PARTS[key]])));
  const named = { id_property: text('The unique key by which `id` names records', 100) };
  return closedObject(
    {
      inputs: { ...listOf(input, MOST_INPUTS), minItems: 1 },
      ...(byKey === 'always' ? named : {}),
    },
    {
      atomic: { type: 'boolean', default: false, description: 'true does all or nothing' },
      ...(byKey === 'maybe' ? named : {}),
      properties: PROPERTIES,
      ...(action === 'read' ? { expand: EXPAND } : {}),
    },
  );
}

const INDEX: Schemas = { index: { ...integer(0, MOST_INPUTS - 1), description: 'Of the input' } };

function results(objectType: ObjectType): Schema {
  const { view } = schemaNames(objectType);
  const status = { ...integer(200, 201), enum: [200, 201] };
  const entries = [
    { title: 'Done', ...closedObject({ ...INDEX, status, record: reference(view) }) },
    {
      title: 'Refused',
      ...closedObject({ ...INDEX, status: integer(400, 499), ...errorProperties() }, FAILING_FIELDS),
    },
  ];
  const example = { results: [{ index: 0, status: 200, record: viewExample(objectType) }] };
  return { ...closedObject({ results: listOf({ oneOf: entries }, MOST_INPUTS) }), examples: [example] };
}

/** Returns the schemas of batches in the OpenAPI document. */
export function batchSchemas(): Schemas {
  return Object.fromEntries([
    ...BATCH_ACTIONS.map((action) => [batchName(action), body(action)]),
    ...OBJECT_TYPES.map((objectType) => [resultsName(objectType), results(objectType)]),
  ]) as Schemas;
}
