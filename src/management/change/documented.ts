import { applyDecorators } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiParam, ApiResponse } from '@nestjs/swagger';
import {
  ApiAfter,
  ApiErrors,
  ApiPageQuery,
  ARCHIVED,
  closedObject,
  ID,
  pageOf,
  reference,
  TIME,
  type Schemas,
} from '../../http/index.js';

/** What the routes of one kind of object have in the OpenAPI document. */
interface Documented {
  /** What one is called: `user`. */
  readonly one: string;
  /** What several are called, where it is not `one` with an s. */
  readonly many?: string;
  /** The path parameter with the id. */
  readonly parameter: string;
  /** Name of the schema of one. That of a list has `List` behind it, those of bodies `New` and `Changes`. */
  readonly schema: string;
  /** The body of a request that creates one. */
  readonly example: object;
  /** The body of a request that changes one; `example` unless given. */
  readonly changes?: object;
  /** Name of the schema of the answer that creates one, where it has more. */
  readonly created?: string;
  /** What is to be known of a route beside its summary, by its verb. */
  readonly notes?: Partial<Readonly<Record<'create' | 'update' | 'archive', string>>>;
}

type Decorate = () => MethodDecorator;

/** A refusal with a body of its own. */
export interface Refusal {
  readonly description: string;
  /** Name of the schema of the body. */
  readonly schema: string;
  readonly example: object;
}

/** Returns the documentation of the routes that manage one kind of object. */
export function documented({
  one,
  many = `${one}s`,
  parameter,
  schema,
  example,
  changes = example,
  created = schema,
  notes = {},
}: Documented): Readonly<Record<'List' | 'Create' | 'Read' | 'Update', Decorate>> & {
  /** @param inUse the 409 for what is in use, where it has a body of its own */
  readonly Archive: (inUse?: Refusal) => MethodDecorator;
} {
  const title = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
  const id = ApiParam({ name: parameter, schema: { type: 'string', format: 'uuid' } });
  const answer = (status: number, description: string, name = schema): MethodDecorator =>
    ApiResponse({ status, description, schema: reference(name) });
  const body = (name: string, value: object): MethodDecorator =>
    ApiBody({ schema: reference(name), examples: { example: { value } } });
  const operation = (verb: string, summary: string, noun = one): MethodDecorator => {
    const description = notes[verb as keyof typeof notes];
    const said = description === undefined ? {} : { description };
    return ApiOperation({ summary, operationId: verb + title(noun), ...said });
  };
  return {
    List: () =>
      applyDecorators(
        operation('list', `List ${many}`, many),
        ApiPageQuery(),
        ApiAfter(),
        answer(200, 'Done', `${schema}List`),
        ApiErrors(400, 401, 403),
      ),
    Create: () =>
      applyDecorators(
        operation('create', `Create a ${one}`),
        body(`New${schema}`, example),
        answer(201, 'Created', created),
        ApiErrors(400, 401, 403, 409, 413, 415),
      ),
    Read: () =>
      applyDecorators(
        operation('read', `Read one ${one}`),
        id,
        answer(200, 'Done'),
        ApiErrors(400, 401, 403, 404),
      ),
    Update: () =>
      applyDecorators(
        operation('update', `Change a ${one}`),
        id,
        body(`${schema}Changes`, changes),
        answer(200, 'Changed, or already so'),
        ApiErrors(400, 401, 403, 404, 409, 413, 415),
      ),
    Archive: (inUse) =>
      applyDecorators(
        operation('archive', `Archive a ${one}`),
        id,
        answer(200, 'Archived'),
        ...(inUse === undefined
          ? [ApiErrors(400, 401, 403, 404, 409)]
          : [refusal(inUse), ApiErrors(400, 401, 403, 404)]),
      ),
  };
}

/** Documents a 409 with a body of its own. */
function refusal({ description, schema, example }: Refusal): MethodDecorator {
  const content = { schema: reference(schema), examples: { conflict: { value: example } } };
  return ApiResponse({ status: 409, description, content: { 'application/json': content } });
}

/** What the schemas of one kind of object are made of. */
interface Managed {
  /** Those of its form. */
  readonly values: Schemas;
  /** The keys without which none is created. */
  readonly required: readonly string[];
  /** What views have otherwise than `values`, or beside it. */
  readonly shown?: Schemas;
  /** What bodies have otherwise than `values`. */
  readonly sent?: Schemas;
}

/** Returns the schemas of one kind of object: of itself, of its list, and of the bodies that write it. */
export function managedSchemas(name: string, { values, required, shown, sent }: Managed): Schemas {
  const body = closedObject({}, { ...values, ...sent });
  return {
    [name]: closedObject(viewed({ ...values, ...shown })),
    [`${name}List`]: pageOf(name),
    [`New${name}`]: { ...body, required: [...required] },
    [`${name}Changes`]: { ...body, required: [] },
  };
}

/** Returns the schemas of the keys of a view. */
export function viewed(values: Schemas): Schemas {
  const { archived = ARCHIVED } = values;
  return { id: ID, ...values, created_at: TIME, updated_at: TIME, archived };
}
