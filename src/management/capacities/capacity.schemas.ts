import { OBJECT_TYPES } from '../../fields/index.js';
import {
  closedObject,
  EMAIL,
  integer,
  listOf,
  NAME,
  text,
  wordOf,
  type Schema,
  type Schemas,
} from '../../http/index.js';
import { MOST_COUNT } from '../../validation/decorators.js';
import { managedSchemas } from '../change/managed-schemas.js';

/** The body of a request that creates a capacity. */
export const CAPACITY_EXAMPLE = {
  name: 'Open leads',
  object_type: 'contacts',
  field: 'lifecycle_stage',
  values: ['lead'],
  users: [{ email: 'ada@demo.test', max: 50 }],
  teams: [{ name: 'Sales', max: 30 }],
};

const MAX: Schema = { ...integer(0, MOST_COUNT), description: 'Most active records that one may own' };

const VALUES: Schemas = {
  name: { ...NAME, description: 'Unique among active capacities' },
  object_type: wordOf(OBJECT_TYPES),
  field: text('Internal name of the field whose values count'),
  values: {
    type: 'array',
    minItems: 1,
    maxItems: 1000,
    items: {},
    description: 'As records would hold them',
  },
  users: listOf(closedObject({ email: EMAIL, max: MAX }), 5_000),
  teams: {
    ...listOf(closedObject({ name: NAME, max: MAX }), 1_000),
    description: 'For each member of a team',
  },
};

/** Returns the schemas of capacities in the OpenAPI document. */
export function capacitySchemas(): Schemas {
  const required = ['name', 'object_type', 'field', 'values'];
  return managedSchemas('Capacity', { values: VALUES, required, example: CAPACITY_EXAMPLE });
}
