import { applyDecorators } from '@nestjs/common';
import { ApiBody, ApiErrors, ApiId, ApiOperation, ApiResponse, reference } from '../../http/index.js';
import { capitalized } from '../../text/capitalized.js';
import { viewExample } from './managed-schemas.js';

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
  /** What an answer shows of the example, without what every view has. */
  readonly shown: object;
  /** Name of the schema of the answer that creates one, where it has more. */
  readonly created?: string;
  /** What is to be known of a route beside its summary, by its verb. */
  readonly notes: Readonly<Record<'create' | 'update' | 'archive', string>>;
}

type Decorate = () => MethodDecorator;

/** An answer with a body of its own. */
export interface Answer {
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
  shown,
  created = schema,
  notes,
}: Documented): Readonly<Record<'List' | 'Create' | 'Read' | 'Update', Decorate>> & {
  /** @param inUse the 409 for what is in use, where it has a body of its own */
  readonly Archive: (inUse?: Answer) => MethodDecorator;
} {
  const id = ApiId(parameter);
  const answer = (status: number, description: string, name = schema): MethodDecorator =>
    ApiResponse({ status, description, schema: reference(name) });
  const body = (name: string, value: object): MethodDecorator =>
    ApiBody({ schema: reference(name), examples: { example: { value } } });
  const said: Readonly<Record<string, string>> = {
    list: 'In creation order, the active ones unless `archived` is true.',
    read: `Active or archived. An id that the account does not have answers 404: \`${capitalized(one)} not found\`.`,
    ...notes,
  };
  const operation = (verb: string, summary: string, noun = one): MethodDecorator => {
    const description = said[verb] ?? '';
    return ApiOperation({ summary, operationId: verb + capitalized(noun), description });
  };
  return {
    List: () =>
      applyDecorators(
        operation('list', `List ${many}`, many),
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
        answerWith(200, {
          description: 'Archived',
          schema,
          example: { ...viewExample(shown), archived: '2026-06-12T08:00:00.000Z' },
        }),
        ...(inUse === undefined
          ? [ApiErrors(400, 401, 403, 404, 409)]
          : [answerWith(409, inUse), ApiErrors(400, 401, 403, 404)]),
      ),
  };
}

/** Documents an answer with a body of its own. */
export function answerWith(status: number, { description, schema, example }: Answer): MethodDecorator {
  const content = { schema: reference(schema), examples: { example: { value: example } } };
  return ApiResponse({ status, description, content: { 'application/json': content } });
}
