import type { OpenAPIObject } from '@nestjs/swagger';

/** Schemas by name: those of the OpenAPI document, or those of an object's keys. */
export type Schemas = NonNullable<NonNullable<OpenAPIObject['components']>['schemas']>;
export type Schema = Exclude<Schemas[string], { $ref: string }>;

export const reference = (name: string): { $ref: string } => ({ $ref: `#/components/schemas/${name}` });

export const text = (description: string): Schema => ({ type: 'string', description });

export const ID: Schema = { type: 'string', format: 'uuid' };
export const TIME: Schema = { type: 'string', format: 'date-time' };

/** The schema of `archived`: false, or the time when it was. */
export const ARCHIVED: Schema = { oneOf: [{ type: 'boolean', enum: [false] }, TIME] };

/** The schema of an object with these keys and no others. @param optional the keys that may be missing */
export function closedObject(required: Schemas, optional: Schemas = {}): Schema {
  return {
    type: 'object',
    required: Object.keys(required),
    properties: { ...required, ...optional },
    additionalProperties: false,
  };
}

/** The schema of a list. @param name that of the schema of its rows @param row an example of one */
export function pageOf(name: string, row?: object): Schema {
  const page = closedObject({
    data: { type: 'array', items: reference(name) },
    pagination: reference('Pagination'),
  });
  const pagination = { limit: 10, offset: 0, count: 1, next: null };
  return row === undefined ? page : { ...page, examples: [{ data: [row], pagination }] };
}
