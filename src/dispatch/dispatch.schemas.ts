import type { INestApplicationContext } from '@nestjs/common';
import { ASSIGNED_MESSAGE, ASSIGNED_REASONS, REFUSALS, type DistributionModel } from '../engine/index.js';
import {
  closedObject,
  errorProperties,
  FAILING_FIELDS,
  ID,
  text,
  type Schema,
  type Schemas,
} from '../http/index.js';
import { DISTRIBUTION_MODELS } from '../routers/index.js';
import { ASSIGNED_EXAMPLES, REFUSED_EXAMPLES } from './dispatch.examples.js';

const assigned = (models: readonly DistributionModel[]): Schemas => ({
  message: { type: 'string', enum: [ASSIGNED_MESSAGE] },
  success: { type: 'boolean', enum: [true] },
  user: text('E-mail of the owner'),
  field_name: text('The owner field that has this user'),
  owner_assigned_at: {
    type: 'string',
    pattern: '^[A-Z][a-z]{2}, \\d{2} [A-Z][a-z]{2} \\d{4} \\d{2}:\\d{2}:\\d{2} \\+0000$',
    description: 'RFC 2822, UTC: since when. With `already_owner` it has not changed',
  },
  reason: {
    type: 'string',
    enum: [...new Set([...ASSIGNED_REASONS, ...models.map(({ reason }) => reason)])],
    description: '`already_owner`: the record stays as it is, and no turn and no limit is used',
  },
});

const NOT_ASSIGNED: Schemas = {
  message: {
    type: 'string',
    enum: [...new Set(Object.values(REFUSALS))],
    description: 'Why nobody was assigned',
  },
  success: { type: 'boolean', enum: [false] },
  reason: { type: 'string', enum: Object.keys(REFUSALS), description: 'The same as a stable word' },
};

const PRESENT: Schemas = { user: text('With `owner_present` only: e-mail of the present owner') };

const ASSIGNMENT: Schemas = { assignment_id: { ...ID, description: 'The entry of the assignment log' } };

const TRACE: Schemas = {
  trace: {
    type: 'array',
    items: { type: 'object', required: ['step'], properties: { step: text('What was weighed') } },
    description: 'Every step that was weighed, in order',
  },
};

/**
 * Returns the further properties of the entries of a batch. @param status that a single dispatch would have
 */
const entry = (status: Schema): Schemas => ({ object_id: { type: 'string' }, status });

const RAN = entry({ type: 'integer', enum: [200] });
const REFUSED: Schemas = {
  ...entry({ type: 'integer', minimum: 400, maximum: 599 }),
  ...errorProperties(),
};

const titled = (title: string, schema: Schema, examples?: readonly object[]): Schema => ({
  title,
  ...schema,
  ...(examples === undefined ? {} : { examples: [...examples] }),
});

/** Returns the schemas of dispatch in the OpenAPI document of an application. */
export function dispatchSchemas(app: Pick<INestApplicationContext, 'get'>): Schemas {
  const ASSIGNED = assigned(app.get<readonly DistributionModel[]>(DISTRIBUTION_MODELS, { strict: false }));
  return {
    DispatchResult: {
      oneOf: [
        titled('Assigned', closedObject({ ...ASSIGNED, ...ASSIGNMENT }), ASSIGNED_EXAMPLES),
        titled('Not assigned', closedObject({ ...NOT_ASSIGNED, ...ASSIGNMENT }, PRESENT), REFUSED_EXAMPLES),
      ],
    },
    Simulation: {
      description: 'The body of a dispatch without assignment_id, with every step that was weighed',
      oneOf: [
        titled('Would be assigned', closedObject({ ...ASSIGNED, ...TRACE })),
        titled('Would not be assigned', closedObject({ ...NOT_ASSIGNED, ...TRACE }, PRESENT)),
      ],
    },
    BatchResults: closedObject({
      results: {
        type: 'array',
        description:
          'In the order of the request: the status and the body that a single dispatch would have had',
        items: {
          oneOf: [
            titled('Assigned', closedObject({ ...RAN, ...ASSIGNED, ...ASSIGNMENT })),
            titled('Not assigned', closedObject({ ...RAN, ...NOT_ASSIGNED, ...ASSIGNMENT }, PRESENT)),
            titled('Refused', closedObject(REFUSED, FAILING_FIELDS)),
          ],
        },
      },
    }),
  };
}
