import { applyDecorators, HttpCode, SetMetadata, type INestApplicationContext } from '@nestjs/common';
import { ModulesContainer, Reflector } from '@nestjs/core';
import { ApiBody, ApiHeader, ApiOperation, ApiParam, ApiResponse, type OpenAPIObject } from '@nestjs/swagger';
import { headers } from './answers.js';
import { ID, reference, type Schema, type Schemas } from './schemas.js';

/**
 * Documents the error answers of a route: these, and those of every route that needs the database. Each is
 * the one that all operations share for its status.
 */
export const ApiErrors = (...statuses: number[]): MethodDecorator =>
  applyDecorators(...[...statuses, 500, 503].map((status) => ApiResponse({ status })));

/** Adds to a parameter decorator what the OpenAPI document says of each route that has it. */
export function documenting(
  decorate: ParameterDecorator,
  ...documentation: readonly MethodDecorator[]
): ParameterDecorator {
  return (target, key, index) => {
    decorate(target, key, index);
    const method = key === undefined ? undefined : Object.getOwnPropertyDescriptor(target, key);
    if (key !== undefined && method !== undefined) applyDecorators(...documentation)(target, key, method);
  };
}

/** Documents the id of an item in its path. */
export const ApiId = (name: string): MethodDecorator => ApiParam({ name, schema: ID });

const ENTITY_TAGS: Schema = { type: 'string', minLength: 1, maxLength: 8_000, pattern: '^[ -~]+$' };

const apiHeader = (name: string, description: string, schema = ENTITY_TAGS): MethodDecorator =>
  ApiHeader({ name, required: false, schema, description });

/** Documents `If-Match` of a write. */
export const ApiIfMatch = (): MethodDecorator =>
  apiHeader('If-Match', 'The ETag of an earlier answer: 412 where what it shows has changed since');

/** Documents `If-None-Match`. */
export const ApiIfNoneMatch = (description: string): MethodDecorator =>
  apiHeader('If-None-Match', description);

/** Documents `Idempotency-Key`. */
export const ApiIdempotencyKey = (): MethodDecorator =>
  apiHeader(
    'Idempotency-Key',
    'Any text that is new for each thing to do. A request that is sent again with its key does nothing, and is ' +
      'answered as before for 24 hours, with `Idempotency-Replayed: true`',
    { type: 'string', minLength: 1, maxLength: 255, pattern: '^[!-~]+$' },
  );

/** The header of an answer that is one record. */
export const ETAG = headers('ETag');

/** Documents `If-None-Match` of a GET that answers one object. */
export const ApiNotModified = (): MethodDecorator =>
  applyDecorators(
    ApiIfNoneMatch('The ETag of an earlier answer: 304 without a body where the answer would be the same'),
    ApiResponse({ status: 304, description: 'As in the answer that has this ETag' }),
  );

/** An answer in the OpenAPI document. */
export interface AnswerDocs {
  /** The name of its schema. */
  readonly schema: string;
  readonly is?: string | undefined;
  /** 200 unless given. */
  readonly status?: number | undefined;
  /** That of the schema unless given. */
  readonly example?: object | undefined;
}

/** Documents an answer. */
export function ApiAnswer(
  { schema, is: description = 'Done', status = 200, example }: AnswerDocs,
  headers = {},
): MethodDecorator {
  const examples = example && { examples: { example: { value: example } } };
  const content = { 'application/json': { schema: reference(schema), ...examples } };
  return ApiResponse({ status, description, content, headers });
}

/** A body in the OpenAPI document, with one example or several. */
interface BodyDocs {
  /** The name of its schema. */
  readonly schema: string;
  readonly example?: object;
  readonly examples?: Readonly<Record<string, { readonly value: object }>>;
  /** True unless given. */
  readonly required?: boolean;
}

/** What the OpenAPI document says of a route beside the parameters, which say it themselves. */
export interface RouteDocs {
  /** The name of the operation. */
  readonly id: string;
  readonly summary: string;
  readonly description: string;
  readonly body?: BodyDocs;
  readonly answer: AnswerDocs;
  /** Whether its answer is one record, which has an ETag. */
  readonly isRecord?: boolean;
  /** The statuses of refusals beside 400, 401 and 403. */
  readonly errors?: readonly number[];
}

/** Documents a route, and sets the status of its answer. */
export function ApiRoute(docs: RouteDocs): MethodDecorator {
  const { id: operationId, summary, description, body, answer, isRecord = false, errors = [] } = docs;
  return applyDecorators(
    HttpCode(answer.status ?? 200),
    ApiOperation({ summary, operationId, description }),
    ...(body === undefined ? [] : [bodyOf(body)]),
    ApiAnswer(answer, isRecord ? ETAG : {}),
    ApiErrors(400, 401, 403, ...errors),
  );
}

function bodyOf({ schema, example = {}, examples, required = true }: BodyDocs): MethodDecorator {
  return ApiBody({
    schema: reference(schema),
    required,
    examples: examples ?? { example: { value: example } },
  });
}

/** Ways to authenticate, by name. */
export type SecuritySchemes = NonNullable<NonNullable<OpenAPIObject['components']>['securitySchemes']>;

/**
 * Injection token of a function that returns the ways to authenticate. It gets the prefix under which the
 * application has its routes, such as `/api` or nothing.
 */
export const SECURITY_SCHEMES = Symbol('SecuritySchemes');

const SCHEMAS = Symbol('openApiSchemas');

/** Makes schemas for the document of an application. They may depend on what its extensions provide. */
type MakeSchemas = (app: INestApplicationContext) => Schemas;

/** Adds schemas to the OpenAPI document of every application that imports the decorated module. */
export const ProvidesOpenApiSchemas = (...schemas: readonly MakeSchemas[]): ClassDecorator =>
  SetMetadata(SCHEMAS, schemas);

/** The schemas of every module of an application, in the order in which Nest found the modules. */
export function schemasOf(app: INestApplicationContext): Schemas {
  const reflector = app.get(Reflector);
  const modules = new Set([...app.get(ModulesContainer).values()].map(({ metatype }) => metatype));
  const made = [...modules].flatMap(
    (module) => reflector.get<readonly MakeSchemas[] | undefined>(SCHEMAS, module) ?? [],
  );
  return Object.assign({}, ...made.map((make) => make(app))) as Schemas;
}
