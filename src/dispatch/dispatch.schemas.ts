import type { OpenAPIObject } from '@nestjs/swagger';

type Schemas = NonNullable<NonNullable<OpenAPIObject['components']>['schemas']>;

const text = (description: string): object => ({ type: 'string', description });

/** The schemas of dispatch in the OpenAPI document. */
export function dispatchSchemas(): Schemas {
  return {
    Simulation: {
      type: 'object',
      description: 'The body of a dispatch without assignment_id, with every step that was weighed',
      required: ['message', 'success', 'reason', 'trace'],
      properties: {
        message: { type: 'string' },
        success: { type: 'boolean' },
        reason: text('A stable word for what decided'),
        user: text('E-mail of the new owner'),
        field_name: text('The owner field that would be set'),
        owner_assigned_at: text('RFC 2822, UTC'),
        trace: { type: 'array', items: { type: 'object' } },
      },
    },
    BatchResults: {
      type: 'object',
      required: ['results'],
      properties: {
        results: {
          type: 'array',
          description: 'In the order of the request',
          items: {
            type: 'object',
            required: ['object_id', 'status', 'message'],
            properties: {
              object_id: { type: 'string' },
              message: { type: 'string' },
              status: { type: 'integer', description: 'The status that a single dispatch would have had' },
            },
            additionalProperties: true,
            description: 'And the body that a single dispatch would have had',
          },
        },
      },
    },
    DispatchResult: {
      oneOf: [
        {
          title: 'Assigned',
          type: 'object',
          required: [
            'message',
            'success',
            'user',
            'field_name',
            'owner_assigned_at',
            'assignment_id',
            'reason',
          ],
          properties: {
            message: text('The object was successfully assigned'),
            success: { type: 'boolean', enum: [true] },
            user: text('E-mail of the new owner'),
            field_name: text('The owner field that was set'),
            owner_assigned_at: text('RFC 2822, UTC'),
            assignment_id: { type: 'string', format: 'uuid' },
            reason: text('A stable word for what decided'),
          },
        },
        {
          title: 'Not assigned',
          type: 'object',
          required: ['message', 'success', 'reason'],
          properties: {
            message: text('Why no one was assigned'),
            success: { type: 'boolean', enum: [false] },
            reason: text('A stable word for what decided'),
          },
        },
      ],
    },
  };
}
