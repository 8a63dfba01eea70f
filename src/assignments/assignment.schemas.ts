import type { OpenAPIObject } from '@nestjs/swagger';

type Schemas = NonNullable<NonNullable<OpenAPIObject['components']>['schemas']>;

const id = { type: 'string', format: 'uuid' };
const email = (description: string): object => ({ type: ['string', 'null'], description });

const RUN = {
  id,
  router_id: id,
  object_id: id,
  object_type: { type: 'string', enum: ['contacts', 'companies', 'deals', 'tickets'] },
  user: email('The new owner; null when no one was assigned'),
  previous_user: email('The owner before'),
  reason: { type: 'string', description: 'A stable word for what decided' },
  message: { type: 'string' },
  created_at: { type: 'string', format: 'date-time' },
};

/** The schemas of the assignment log in the OpenAPI document. */
export function assignmentSchemas(): Schemas {
  const list = {
    type: 'object',
    required: ['data', 'pagination'],
    properties: {
      data: {
        type: 'array',
        items: { type: 'object', required: Object.keys(RUN), properties: RUN },
      },
      pagination: { $ref: '#/components/schemas/Pagination' },
    },
  };
  const trace = {
    type: ['array', 'null'],
    items: { type: 'object' },
    description: 'Every step that was weighed, in order; null once it was pruned',
  };
  const item = { type: 'object', required: [...Object.keys(RUN), 'trace'], properties: { ...RUN, trace } };
  return { Assignment: item, AssignmentList: list };
}
