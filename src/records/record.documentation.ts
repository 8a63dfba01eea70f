import { applyDecorators } from '@nestjs/common';
import { OBJECT_TYPE_RULES, type ObjectType } from '../fields/index.js';
import {
  ApiBody,
  ApiErrors,
  ApiIfNoneMatch,
  ApiOperation,
  ApiParam,
  ApiResponse,
  ETAG,
  reference,
} from '../http/index.js';
import { capitalized } from '../text/capitalized.js';
import type { BatchAction } from './batch/batch.dto.js';
import { batchName, resultsName } from './batch/batch.schemas.js';
import { HISTORY_PAGE } from './history/history.schemas.js';
import { batchExample, searchExample, UPSERT_KEY, writeExamples } from './record.examples.js';
import { schemaNames } from './record.schemas.js';
import { foundName, SEARCH } from './search/search.schemas.js';

/** What the OpenAPI document says of an operation, beside the parameters, which say it themselves. */
interface Operation {
  readonly summary: string;
  readonly operationId: string;
  readonly description: string;
  /** What it answers, and the name of the schema of that. */
  readonly answer: readonly [description: string, schema: string];
  readonly status?: number;
  /** Whether its answer is one record. */
  readonly isRecord?: boolean;
  /** Name of the schema of the body, and an example. */
  readonly body?: readonly [schema: string, example: object];
  readonly errors: readonly number[];
}

function operation({ status = 200, answer: [description, schema], body, ...of }: Operation): MethodDecorator {
  const { summary, operationId, isRecord = false, errors } = of;
  return applyDecorators(
    ApiOperation({ summary, operationId, description: of.description }),
    ApiResponse({ status, description, schema: reference(schema), ...(isRecord && { headers: ETAG }) }),
    ...(body === undefined
      ? []
      : [ApiBody({ schema: reference(body[0]), examples: { example: { value: body[1] } } })]),
    ApiErrors(...errors),
  );
}

/** Documents how the path names a record. */
function ApiRecordId(objectType: ObjectType, description: string, examples?: string[]): MethodDecorator {
  const id = { type: 'string', minLength: 1, maxLength: 16_384, pattern: '^[^\\u0000]*$' } as const;
  const name = `${OBJECT_TYPE_RULES[objectType].singular}Id`;
  return ApiParam({ name, schema: examples === undefined ? id : { ...id, examples }, description });
}

const EITHER = 'The id of the record; with `id_property`, the value of that key';

/** What all operations on one record have in common. */
function itemOperation(objectType: ObjectType, verb: string): Omit<Operation, 'description' | 'errors'> {
  const { singular } = OBJECT_TYPE_RULES[objectType];
  const { view } = schemaNames(objectType);
  return {
    summary: `${verb} one ${singular}`,
    operationId: `${verb.toLowerCase()}${view}`,
    answer: [`The ${singular}`, view],
    isRecord: true,
  };
}

/** What makes a record of an object type a duplicate of another. */
function uniqueKeys(objectType: ObjectType): string {
  const { singular, uniqueKeys: keys } = OBJECT_TYPE_RULES[objectType];
  const named = keys.map((key) => `\`${key}\``).join(' or ');
  return `409 \`duplicate\` where an active ${singular} has the same ${named}.`;
}

/** The documentation of the routes of an object type (clauses 4.2 to 4.4, contract section 7). */
export function documentationOf(objectType: ObjectType) {
  const { singular } = OBJECT_TYPE_RULES[objectType];
  const { view, write, list } = schemaNames(objectType);
  const examples = writeExamples(objectType);
  const plural = capitalized(objectType);
  const duplicates = uniqueKeys(objectType);
  return {
    List: operation({
      summary: `List ${objectType}`,
      operationId: `list${plural}`,
      description: 'In creation order, oldest first, the active ones unless `archived` is true.',
      answer: [`The ${objectType}`, list],
      errors: [400, 401, 403],
    }),
    Create: operation({
      summary: `Create one ${singular}`,
      operationId: `create${view}`,
      description: `\`null\` and an empty text leave a field empty. ${duplicates}`,
      status: 201,
      answer: ['Created', view],
      isRecord: true,
      body: [write, examples.create],
      errors: [400, 401, 403, 409, 413, 415, 422],
    }),
    Read: applyDecorators(
      operation({
        ...itemOperation(objectType, 'Read'),
        description: 'By its id an active or archived one, by a key an active one.',
        errors: [400, 401, 403, 404],
      }),
      ApiRecordId(objectType, EITHER),
      ApiIfNoneMatch('The ETag of an earlier answer: 304 without a body where the answer would be the same'),
      ApiResponse({ status: 304, description: 'As in the answer that has this ETag' }),
    ),
    Update: applyDecorators(
      operation({
        ...itemOperation(objectType, 'Update'),
        description:
          `Changes the fields that the body has: \`null\` or an empty text clears one. ${duplicates} ` +
          '409 `archived` for one that is archived.',
        body: [write, examples.change],
        errors: [400, 401, 403, 404, 409, 412, 413, 415, 422],
      }),
      ApiRecordId(objectType, EITHER),
    ),
    Upsert: applyDecorators(
      operation({
        ...itemOperation(objectType, 'Upsert'),
        description:
          'Updates the active one that has the key in the path, or creates one that has it. `fields` need not have ' +
          `the key, and may have no other. ${duplicates}`,
        body: [write, examples.change],
        errors: [400, 401, 403, 409, 412, 413, 415, 422],
      }),
      ApiResponse({ status: 201, description: 'Created', schema: reference(view), headers: ETAG }),
      ApiRecordId(objectType, 'The value of the key', [UPSERT_KEY.value]),
    ),
    Restore: applyDecorators(
      operation({
        ...itemOperation(objectType, 'Restore'),
        description: `Makes an archived one active again, as it was. ${duplicates} 409 \`not_archived\` for an active one.`,
        errors: [400, 401, 403, 404, 409, 412, 422],
      }),
      ApiRecordId(objectType, 'The id of the record'),
    ),
    Archive: applyDecorators(
      operation({
        ...itemOperation(objectType, 'Archive'),
        description: 'Its unique keys are free again. 404 for one that is archived already.',
        errors: [400, 401, 403, 404, 409, 412, 422],
      }),
      ApiRecordId(objectType, EITHER),
    ),
    Search: operation({
      summary: `Search ${objectType}`,
      operationId: `search${plural}`,
      description:
        'Finds those that the filter matches, which is a trigger as routers have: groups are OR-ed, conditions in a ' +
        'group AND-ed. Without a sort in creation order. It sees every write that was answered before. 400 where ' +
        'it would take longer than two seconds: let the filter find fewer, by a unique key, the owner or `create_date`.',
      answer: [`The ${objectType}`, foundName(objectType)],
      body: [SEARCH, searchExample(objectType)],
      errors: [400, 401, 403, 413, 415],
    }),
    History: applyDecorators(
      operation({
        summary: `Read the history of one ${singular}`,
        operationId: `list${view}History`,
        description:
          'Every change of every field, newest first: the values at the creation, each write by a client, each ' +
          'assignment by a router, imports, archiving and restoring. Also of an archived one. Changes of a field ' +
          'that is archived are hidden until it is created again.',
        answer: ['The changes', HISTORY_PAGE],
        errors: [400, 401, 403, 404],
      }),
      ApiRecordId(objectType, 'The id of the record'),
    ),
    batch: (action: BatchAction): MethodDecorator =>
      operation({
        summary: `${capitalized(action)} many ${objectType}`,
        operationId: `batch${capitalized(action)}${plural}`,
        description:
          'One after the other, in the order of `inputs`; each has the status and the answer that a request of its own ' +
          'would have. With `atomic` all or nothing: the status of the first that is refused, and `errors` with the ' +
          '`index` of each input. 413 where the answer would have more than 10 MiB.',
        answer: ['It ran', resultsName(objectType)],
        body: [batchName(action), batchExample(objectType, action)],
        errors: [400, 401, 403, 404, 409, 413, 415, ...(action === 'read' ? [] : [422])],
      }),
  };
}
