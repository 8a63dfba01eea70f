import { applyDecorators } from '@nestjs/common';
import { OBJECT_TYPE_RULES, type ObjectType } from '../fields/index.js';
import {
  ApiAfter,
  ApiBody,
  ApiErrors,
  ApiIdempotencyKey,
  ApiIfMatch,
  ApiIfNoneMatch,
  ApiOperation,
  ApiPageQuery,
  ApiParam,
  ApiQuery,
  ApiResponse,
  ETAG,
  reference,
} from '../http/index.js';
import { capitalized } from '../text/capitalized.js';
import { UPSERT_KEY, writeExamples } from './record.examples.js';
import { ApiExpand } from './references/expand.documentation.js';
import { schemaNames } from './record.schemas.js';

const ApiProperties = (): MethodDecorator =>
  ApiQuery({
    name: 'properties',
    required: false,
    schema: { type: 'string', maxLength: 10_000, pattern: '^[^\\u0000]*$' },
    description:
      'Fields to return beside the default ones, such as `create_date,last_modified_date`: comma-separated, ' +
      'repeated, or both',
  });

/** How a path names a record: by id or by a key, by id, or by a key, of which there are examples. */
type Naming = 'either' | 'id' | 'key';

/** Documents how the path names a record. */
function ApiNaming(objectType: ObjectType, naming: Naming): MethodDecorator {
  const { singular, uniqueKeys } = OBJECT_TYPE_RULES[objectType];
  const isKey = naming === 'key';
  const description = {
    either: 'The id of the record; with `id_property`, the value of that key',
    id: 'The id of the record',
    key: 'The value of the key',
  };
  const id = { type: 'string', minLength: 1, maxLength: 16_384, pattern: '^[^\\u0000]*$' } as const;
  return applyDecorators(
    ApiParam({
      name: `${singular}Id`,
      schema: isKey ? { ...id, examples: [UPSERT_KEY.value] } : id,
      description: description[naming],
    }),
    ApiQuery({
      name: 'id_property',
      required: isKey,
      schema: {
        type: 'string',
        enum: [...uniqueKeys],
        ...(isKey && { examples: [UPSERT_KEY.property] }),
      },
      description: 'The unique key whose value the path has in place of an id',
    }),
  );
}

const NAMINGS: Readonly<Record<string, Naming>> = { Upsert: 'key', Restore: 'id' };

/** Documents what all operations on one record have in common. */
function itemOperation(objectType: ObjectType, verb: string, description: string): MethodDecorator {
  const { singular } = OBJECT_TYPE_RULES[objectType];
  const { view } = schemaNames(objectType);
  return applyDecorators(
    ApiOperation({
      summary: `${verb} one ${singular}`,
      operationId: `${verb.toLowerCase()}${view}`,
      description,
    }),
    ApiResponse({ status: 200, description: `The ${singular}`, schema: reference(view), headers: ETAG }),
    ApiNaming(objectType, NAMINGS[verb] ?? 'either'),
  );
}

/** Documents the body of a request that writes a record. */
function body(objectType: ObjectType, verb: keyof ReturnType<typeof writeExamples>): MethodDecorator {
  const value = writeExamples(objectType)[verb];
  return ApiBody({ schema: reference(schemaNames(objectType).write), examples: { example: { value } } });
}

/** What makes a record of an object type a duplicate of another. */
function uniqueKeys(objectType: ObjectType): string {
  const { singular, uniqueKeys: keys } = OBJECT_TYPE_RULES[objectType];
  const named = keys.map((key) => `\`${key}\``).join(' or ');
  return `409 \`duplicate\` where an active ${singular} has the same ${named}.`;
}

/** Documents GET on a collection (clause 4.2). */
export const List = (objectType: ObjectType): MethodDecorator =>
  applyDecorators(
    ApiOperation({
      summary: `List ${objectType}`,
      operationId: `list${capitalized(objectType)}`,
      description: 'In creation order, oldest first, the active ones unless `archived` is true.',
    }),
    ApiResponse({
      status: 200,
      description: `The ${objectType}`,
      schema: reference(schemaNames(objectType).list),
    }),
    ApiPageQuery(),
    ApiAfter(),
    ApiProperties(),
    ApiExpand(objectType),
    ApiErrors(400, 401, 403),
  );

/** Documents POST on a collection (clause 4.3). */
export const Create = (objectType: ObjectType): MethodDecorator => {
  const { view } = schemaNames(objectType);
  return applyDecorators(
    ApiOperation({
      summary: `Create one ${OBJECT_TYPE_RULES[objectType].singular}`,
      operationId: `create${view}`,
      description: `\`null\` and an empty text leave a field empty. ${uniqueKeys(objectType)}`,
    }),
    ApiResponse({ status: 201, description: 'Created', schema: reference(view), headers: ETAG }),
    body(objectType, 'create'),
    ApiProperties(),
    ApiIdempotencyKey(),
    ApiErrors(400, 401, 403, 409, 413, 415, 422),
  );
};

/** Documents GET on an item (clause 4.4). */
export const Read = (objectType: ObjectType): MethodDecorator =>
  applyDecorators(
    itemOperation(objectType, 'Read', 'By its id an active or archived one, by a key an active one.'),
    ApiProperties(),
    ApiIfNoneMatch('The ETag of an earlier answer: 304 without a body where the answer would be the same'),
    ApiResponse({ status: 304, description: 'As in the answer that has this ETag' }),
    ApiExpand(objectType),
    ApiErrors(400, 401, 403, 404),
  );

/** Documents PATCH on an item (clause 4.4). */
export const Update = (objectType: ObjectType): MethodDecorator =>
  applyDecorators(
    itemOperation(
      objectType,
      'Update',
      `Changes the fields that the body has: \`null\` or an empty text clears one. ${uniqueKeys(objectType)} ` +
        '409 `archived` for one that is archived.',
    ),
    body(objectType, 'update'),
    ApiProperties(),
    ApiIfMatch(),
    ApiIdempotencyKey(),
    ApiErrors(400, 401, 403, 404, 409, 412, 413, 415, 422),
  );

/** Documents PUT on an item (contract section 7). */
export const Upsert = (objectType: ObjectType): MethodDecorator => {
  const { view } = schemaNames(objectType);
  return applyDecorators(
    itemOperation(
      objectType,
      'Upsert',
      'Updates the active one that has the key in the path, or creates one that has it. `fields` need not have ' +
        `the key, and may have no other. ${uniqueKeys(objectType)}`,
    ),
    ApiResponse({ status: 201, description: 'Created', schema: reference(view), headers: ETAG }),
    body(objectType, 'upsert'),
    ApiProperties(),
    ApiIfMatch(),
    ApiIfNoneMatch('`*` creates only: 412 where an active one has the key'),
    ApiIdempotencyKey(),
    ApiErrors(400, 401, 403, 409, 412, 413, 415, 422),
  );
};

/** Documents POST on the restoring of an item (contract section 7). */
export const Restore = (objectType: ObjectType): MethodDecorator =>
  applyDecorators(
    itemOperation(
      objectType,
      'Restore',
      `Makes an archived one active again, as it was. ${uniqueKeys(objectType)} 409 \`not_archived\` for an active one.`,
    ),
    ApiIfMatch(),
    ApiIdempotencyKey(),
    ApiErrors(400, 401, 403, 404, 409, 412, 422),
  );

/** Documents DELETE on an item (clause 3). */
export const Archive = (objectType: ObjectType): MethodDecorator =>
  applyDecorators(
    itemOperation(
      objectType,
      'Archive',
      'Its unique keys are free again. 404 for one that is archived already.',
    ),
    ApiIfMatch(),
    ApiIdempotencyKey(),
    ApiErrors(400, 401, 403, 404, 409, 412, 422),
  );
