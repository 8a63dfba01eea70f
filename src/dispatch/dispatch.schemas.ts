import type { INestApplicationContext } from '@nestjs/common';
import { ASSIGNED_MESSAGE, ASSIGNED_REASONS, REFUSALS, type DistributionModel } from '../engine/index.js';
import {
  closedObject,
  EMAIL,
  errorProperties,
  FAILING_FIELDS,
  ID,
  INSTANT,
  integer,
  listOf,
  reference,
  text,
  wordOf,
  type Schema,
  type Schemas,
} from '../http/index.js';
import { DISTRIBUTION_MODELS } from '../routers/index.js';
import {
  ASSIGNED_EXAMPLES,
  BATCH_EXAMPLE,
  REFUSED_EXAMPLES,
  SIMULATION_EXAMPLE,
} from './dispatch.examples.js';
import { traceSchemas } from './trace.schemas.js';

/** Most objects of a batch. */
const BATCH = 100;

const assigned = (reasons: readonly string[]): Schemas => ({
  message: wordOf([ASSIGNED_MESSAGE]),
  success: { type: 'boolean', enum: [true] },
  user: { ...EMAIL, description: 'The owner' },
  field_name: text('The owner field that has this user'),
  owner_assigned_at: {
    type: 'string',
    maxLength: 31,
    pattern: '^[A-Z][a-z]{2}, \\d{2} [A-Z][a-z]{2} \\d{4} \\d{2}:\\d{2}:\\d{2} \\+0000$',
    description: 'RFC 2822, UTC: since when. With `already_owner` it has not changed',
  },
  reason: wordOf(reasons, '`already_owner`: the record stays as it is, and no turn and no limit is used'),
});

const REFUSED_REASONS = Object.keys(REFUSALS);

const NOT_ASSIGNED: Schemas = {
  message: wordOf([...new Set(Object.values(REFUSALS))], 'Why nobody was assigned'),
  success: { type: 'boolean', enum: [false] },
  reason: wordOf(REFUSED_REASONS, 'The same as a stable word'),
};

const PRESENT: Schemas = { user: { ...EMAIL, description: 'With `owner_present` only: the present owner' } };

const ASSIGNMENT: Schemas = { assignment_id: { ...ID, description: 'The entry of the assignment log' } };

const TRACE: Schemas = {
  trace: { ...listOf(reference('TraceStep')), description: 'Every step that was weighed, in order' },
};

/**
 * Returns the further properties of the entries of a batch. @param status that a single dispatch would have
 */
const entry = (status: Schema): Schemas => ({ object_id: text('As it was sent'), status });

const RAN = entry({ ...integer(200, 200), enum: [200] });
const REFUSED: Schemas = { ...entry(integer(400, 599)), ...errorProperties() };

const titled = (title: string, schema: Schema): Schema => ({ title, ...schema });

const ROUTER: Schema = { ...ID, description: 'A router of the account' };
const OBJECT: Schema = { ...ID, description: "An active record of the router's object type" };

const REQUESTS: Schemas = {
  DispatchRequest: closedObject({ router_id: ROUTER, object_id: OBJECT }),
  BatchRequest: closedObject({
    router_id: ROUTER,
    object_ids: {
      ...listOf(ID, BATCH),
      minItems: 1,
      description: 'Active records, in the order to decide on',
    },
  }),
  SimulationRequest: closedObject(
    { router_id: ROUTER },
    {
      object_id: OBJECT,
      fields: {
        type: 'object',
        additionalProperties: true,
        description:
          'In the place of `object_id`: the fields of a record that does not exist, as in a create',
      },
      at: { ...INSTANT, description: 'The instant to decide at; now unless given' },
      version: {
        oneOf: [wordOf(['live', 'draft']), integer(1)],
        description:
          'The version of the router to run; `live` unless given. A draft and a version by number run as if they ' +
          'were published.',
      },
    },
  ),
};

/** Returns the schemas of dispatch in the OpenAPI document of an application. */
export function dispatchSchemas(app: Pick<INestApplicationContext, 'get'>): Schemas {
  const models = app.get<readonly DistributionModel[]>(DISTRIBUTION_MODELS, { strict: false });
  const reasons = [...new Set([...ASSIGNED_REASONS, ...models.map(({ reason }) => reason)])];
  const ASSIGNED = assigned(reasons);
  return {
    ...REQUESTS,
    ...traceSchemas(),
    Reason: wordOf([...reasons, ...REFUSED_REASONS], 'What decided, as a stable word'),
    DispatchResult: {
      oneOf: [
        titled('Assigned', closedObject({ ...ASSIGNED, ...ASSIGNMENT })),
        titled('Not assigned', closedObject({ ...NOT_ASSIGNED, ...ASSIGNMENT }, PRESENT)),
      ],
      examples: [...ASSIGNED_EXAMPLES, ...REFUSED_EXAMPLES],
    },
    Simulation: {
      description: 'The body of a dispatch without assignment_id, with every step that was weighed',
      oneOf: [
        titled('Would be assigned', closedObject({ ...ASSIGNED, ...TRACE })),
        titled('Would not be assigned', closedObject({ ...NOT_ASSIGNED, ...TRACE }, PRESENT)),
      ],
      examples: [SIMULATION_EXAMPLE],
    },
    BatchResults: {
      ...closedObject({
        results: {
          ...listOf(
            {
              oneOf: [
                titled('Assigned', closedObject({ ...RAN, ...ASSIGNED, ...ASSIGNMENT })),
                titled('Not assigned', closedObject({ ...RAN, ...NOT_ASSIGNED, ...ASSIGNMENT }, PRESENT)),
                titled('Refused', closedObject(REFUSED, FAILING_FIELDS)),
              ],
            },
            BATCH,
          ),
          description:
            'In the order of the request: the status and the body that a single dispatch would have had',
        },
      }),
      examples: [BATCH_EXAMPLE],
    },
  };
}
