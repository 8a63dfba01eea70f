import { ASSIGNED_MESSAGE, REFUSALS } from '../engine/index.js';
import {
  closedObject,
  errorProperties,
  FAILING_FIELDS,
  ID,
  text,
  type Schema,
  type Schemas,
} from '../http/index.js';

const ASSIGNED: Schemas = {
  message: { type: 'string', enum: [ASSIGNED_MESSAGE] },
  success: { type: 'boolean', enum: [true] },
  user: text('E-mail of the new owner'),
  field_name: text('The owner field that is set'),
  owner_assigned_at: {
    type: 'string',
    pattern: '^[A-Z][a-z]{2}, \\d{2} [A-Z][a-z]{2} \\d{4} \\d{2}:\\d{2}:\\d{2} \\+0000$',
    description: 'RFC 2822, UTC',
  },
  reason: text('`account_matched`, `default_user`, or the word of the distribution model, as `round_robin`'),
};

const NOT_ASSIGNED: Schemas = {
  message: text('Why no one was assigned'),
  success: { type: 'boolean', enum: [false] },
  reason: { type: 'string', enum: Object.keys(REFUSALS), description: 'The same as a stable word' },
};

const ASSIGNMENT: Schemas = { assignment_id: ID };

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

const titled = (title: string, schema: Schema): Schema => ({ title, ...schema });

/** Returns the schemas of dispatch in the OpenAPI document. */
export function dispatchSchemas(): Schemas {
  return {
    DispatchResult: {
      oneOf: [
        titled('Assigned', closedObject({ ...ASSIGNED, ...ASSIGNMENT })),
        titled('Not assigned', closedObject(NOT_ASSIGNED)),
      ],
    },
    Simulation: {
      description: 'The body of a dispatch without assignment_id, with every step that was weighed',
      oneOf: [
        titled('Would be assigned', closedObject({ ...ASSIGNED, ...TRACE })),
        titled('Would not be assigned', closedObject({ ...NOT_ASSIGNED, ...TRACE })),
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
            titled('Not assigned', closedObject({ ...RAN, ...NOT_ASSIGNED })),
            titled('Refused', closedObject(REFUSED, FAILING_FIELDS)),
          ],
        },
      },
    }),
  };
}
