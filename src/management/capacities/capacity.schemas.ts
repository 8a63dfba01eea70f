import { OBJECT_TYPES } from '../../fields/index.js';
import { closedObject, type Schema, type Schemas, text } from '../../http/index.js';
import { MOST_COUNT } from '../../validation/count.decorator.js';
import { managedSchemas } from '../change/managed-schemas.js';

/** The body of a request that creates a capacity. */
export const CAPACITY_EXAMPLE = {
  name: 'Open leads',
  object_type: 'contacts',
  field: 'lifecycle_stage',
  values: ['lead'],
  users: [{ email: 'ada@acme.test', max: 50 }],
  teams: [{ name: 'Sales', max: 30 }],
};

const MAX: Schema = {
  type: 'integer',
  minimum: 0,
  maximum: MOST_COUNT,
  description: 'Most active records that one may own',
};
const list = (items: Schema): Schema => ({ type: 'array', items });

const VALUES: Schemas = {
  name: { type: 'string', minLength: 1, maxLength: 200, description: 'Unique among active capacities' },
  object_type: { type: 'string', enum: [...OBJECT_TYPES] },
  field: text('Internal name of the field whose values count'),
  values: {
    type: 'array',
    minItems: 1,
    maxItems: 1000,
    items: {},
    description: 'As records would hold them',
  },
  users: list(closedObject({ email: { type: 'string', format: 'email' }, max: MAX })),
  teams: {
    ...list(closedObject({ name: { type: 'string' }, max: MAX })),
    description: 'For each member of a team',
  },
};

/** Returns the schemas of capacities in the OpenAPI document. */
export function capacitySchemas(): Schemas {
  const required = ['name', 'object_type', 'field', 'values'];
  return managedSchemas('Capacity', { values: VALUES, required, example: CAPACITY_EXAMPLE });
}
