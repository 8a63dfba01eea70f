import { applyDecorators } from '@nestjs/common';
import {
  ApiBody,
  ApiEntity,
  ApiErrors,
  ApiId,
  ApiOperation,
  ApiResponse,
  ARCHIVED,
  CHANGED_VALUES,
  closedObject,
  ETAG,
  ID,
  pageOf,
  reference,
  TIME,
  type Schemas,
} from '../../http/index.js';
import { capitalized } from '../../text/capitalized.js';

/** What the OpenAPI document says of one kind. */
export interface KindDocs {
  /** What one is called: `user`. The names of its schemas begin with it. */
  readonly one: string;
  /** What several are called, which is also their path. */
  readonly many: string;
  /** What is to be known of a route beside its summary, by its verb. */
  readonly notes: Readonly<Record<'create' | 'update' | 'archive', string>>;
  /** The schemas of its form. */
  readonly values: Schemas;
  /** The keys without which none is created. */
  readonly required: readonly string[];
  /** The body of a request that creates one. */
  readonly example: object;
  /** The body of a request that changes one; `example` unless given. */
  readonly changes?: object;
  /** What an answer shows of the example, without what every view has; `example` unless given. */
  readonly shownExample?: object;
  /** What views have otherwise than `values`, or beside it. */
  readonly shown?: Schemas;
  /** What only some views have beside it. */
  readonly sometimes?: Schemas;
  /** What bodies have otherwise than `values`. */
  readonly sent?: Schemas;
  /** Name of the schema of the answer that creates one, where it has more. */
  readonly created?: string;
  /** The 409 for what is in use, where it has a body of its own. */
  readonly inUse?: DocumentedAnswer;
  /** Other schemas. */
  readonly more?: Schemas;
}

/** An answer with a body of its own. */
export interface DocumentedAnswer {
  readonly description: string;
  /** Name of the schema of the body. */
  readonly schema: string;
  readonly example: object;
}

/** Returns the schemas of one kind: of itself, of its list, and of the bodies that write it. */
export function kindSchemas(docs: KindDocs): Schemas {
  const { one, values, required, shown, sometimes, sent, example, shownExample = example, more } = docs;
  const name = capitalized(one);
  const body = closedObject({}, { ...values, ...sent });
  const view = viewExample(shownExample);
  return {
    [name]: {
      ...closedObject(viewed({ ...values, ...shown }), { ...sometimes, changes: CHANGED_VALUES }),
      examples: [view],
    },
    [`${name}List`]: pageOf(name, view),
    [`New${name}`]: { ...body, required: [...required] },
    [`${name}Changes`]: { ...body, required: [] },
    ...more,
  };
}

/** Returns the schemas of the keys of a view. */
export function viewed(values: Schemas): Schemas {
  const { archived = ARCHIVED } = values;
  return { id: ID, ...values, created_at: TIME, updated_at: TIME, archived };
}

/** Returns an example of a view. @param shown what it has beside what every view has */
export function viewExample(shown: object): object {
  return {
    id: '019a8f2c-91d4-7f3a-8c55-0a1b2c3d4e5f',
    ...shown,
    created_at: '2026-06-10T21:05:06.789Z',
    updated_at: '2026-06-10T21:05:06.789Z',
    archived: false,
  };
}

type Verb = 'list' | 'create' | 'read' | 'update' | 'archive';

/** Returns the documentation of the routes of one kind. */
export function kindRoutes(docs: KindDocs): Readonly<Record<Verb, MethodDecorator>> {
  const { one, many, notes, example, changes = example, shownExample = example } = docs;
  const schema = capitalized(one);
  const id = ApiId(`${one}Id`);
  const answer = (status: number, description: string, name = schema): MethodDecorator =>
    ApiResponse({ status, description, schema: reference(name), headers: ETAG });
  const body = (name: string, value: object): MethodDecorator =>
    ApiBody({ schema: reference(name), examples: { example: { value } } });
  const operation = (verb: Verb, summary: string, description: string): MethodDecorator =>
    ApiOperation({ summary, operationId: verb + capitalized(verb === 'list' ? many : one), description });
  const archived = { ...viewExample(shownExample), archived: '2026-06-12T08:00:00.000Z' };
  return {
    list: applyDecorators(
      operation('list', `List ${many}`, 'In creation order, the active ones unless `archived` is true.'),
      ApiResponse({ status: 200, description: 'Done', schema: reference(`${schema}List`) }),
      ApiErrors(400, 401, 403),
    ),
    create: applyDecorators(
      operation('create', `Create a ${one}`, notes.create),
      body(`New${schema}`, example),
      answer(201, 'Created', docs.created),
      ApiErrors(400, 401, 403, 409, 413, 415),
    ),
    read: applyDecorators(
      operation(
        'read',
        `Read one ${one}`,
        `Active or archived. An id that the account does not have answers 404: \`${schema} not found\`.`,
      ),
      id,
      ApiEntity(schema),
      ApiErrors(400, 401, 403, 404),
    ),
    update: applyDecorators(
      operation('update', `Change a ${one}`, notes.update),
      id,
      body(`${schema}Changes`, changes),
      answer(200, 'Changed, or already so'),
      ApiErrors(400, 401, 403, 404, 409, 412, 413, 415),
    ),
    archive: applyDecorators(
      operation('archive', `Archive a ${one}`, notes.archive),
      id,
      answerWith(200, { description: 'Archived', schema, example: archived }),
      ApiErrors(400, 401, 403, 404, 412),
      docs.inUse === undefined ? ApiResponse({ status: 409 }) : answerWith(409, docs.inUse),
    ),
  };
}

/** Documents an answer with a body of its own. */
export function answerWith(
  status: number,
  { description, schema, example }: DocumentedAnswer,
): MethodDecorator {
  const content = { schema: reference(schema), examples: { example: { value: example } } };
  const headers = status < 300 ? { headers: ETAG } : {};
  return ApiResponse({ status, description, content: { 'application/json': content }, ...headers });
}
