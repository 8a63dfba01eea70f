import { CapacityDto } from '../../capacities/index.js';
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
import { managedController } from '../managed/managed.controller.js';
import type { KindDocs } from '../managed/managed-docs.js';
import { CapacitiesKind } from './capacities.kind.js';

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

export const CAPACITY_DOCS: KindDocs = {
  one: 'capacity',
  many: 'capacities',
  notes: {
    create: 'Holds for every router of its object type from the next dispatch on.',
    update: 'Changes the keys that the body has: `values`, `users` and `teams` are whole lists.',
    archive: 'It no longer binds any router.',
  },
  values: VALUES,
  required: ['name', 'object_type', 'field', 'values'],
  example: {
    name: 'Open leads',
    object_type: 'contacts',
    field: 'lifecycle_stage',
    values: ['lead'],
    users: [{ email: 'ada@demo.test', max: 50 }],
    teams: [{ name: 'Sales', max: 30 }],
  },
};

/** `/capacities` (contract section 6). */
export const CapacitiesController = managedController({
  kind: CapacitiesKind,
  docs: CAPACITY_DOCS,
  dto: CapacityDto,
  read: ['directory:read', 'manage'],
});
