import { applyDecorators, Delete, Get, Patch, Post, Put } from '@nestjs/common';
import { RequireScope } from '../auth/http.js';
import { OBJECT_TYPE_RULES, type ObjectType } from '../fields/index.js';
import {
  ApiNotModified,
  ApiParam,
  ApiResponse,
  ApiRoute,
  ETAG,
  reference,
  type RouteDocs,
} from '../http/index.js';
import { capitalized } from '../text/capitalized.js';
import type { BatchAction } from './batch/batch.dto.js';
import { batchExample, searchExample, UPSERT_KEY, writeExamples } from './record.examples.js';
import { schemaNames } from './record.schemas.js';

type Route = RouteDocs & { readonly scope: 'records:read' | 'records:write' };

/** Decorates the handler of a route. @param more what is documented beside it */
function route(
  verb: MethodDecorator,
  { scope, ...docs }: Route,
  more: readonly MethodDecorator[] = [],
): MethodDecorator {
  return applyDecorators(verb, RequireScope(scope), ApiRoute(docs), ...more);
}

/** Returns the name of the parameter of paths that names a record. */
export const pathParameter = (objectType: ObjectType): string =>
  `${OBJECT_TYPE_RULES[objectType].singular}Id`;

/** Returns the decorators of the routes of an object type (clauses 4.2 to 4.4, contract section 7). */
export function recordRoutes(objectType: ObjectType) {
  const { singular, uniqueKeys } = OBJECT_TYPE_RULES[objectType];
  const { view, write, list, found, results, history } = schemaNames(objectType);
  const examples = writeExamples(objectType);
  const plural = capitalized(objectType);
  const keys = uniqueKeys.map((key) => `\`${key}\``).join(' or ');
  const duplicates = `409 \`duplicate\` where an active ${singular} has the same ${keys}.`;
  const parameter = pathParameter(objectType);
  const path = `:${parameter}`;
  const id = (description: string, sample?: string): MethodDecorator => {
    const schema = { type: 'string', minLength: 1, maxLength: 16_384, pattern: '^[^\\u0000]*$' } as const;
    return ApiParam({
      name: parameter,
      schema: sample === undefined ? schema : { ...schema, examples: [sample] },
      description,
    });
  };
  const idOrKey = id('The id of the record; with `id_property`, the value of that key');
  const onlyId = id('The id of the record');
  const item = (verb: string): Omit<Route, 'description' | 'errors' | 'scope'> => ({
    summary: `${verb} one ${singular}`,
    id: `${verb.toLowerCase()}${view}`,
    answer: { is: `The ${singular}`, schema: view },
    isRecord: true,
  });
  return {
    List: route(Get(), {
      summary: `List ${objectType}`,
      id: `list${plural}`,
      description: 'In creation order, oldest first, the active ones unless `archived` is true.',
      answer: { is: `The ${objectType}`, schema: list },
      scope: 'records:read',
    }),
    Create: route(Post(), {
      ...item('Create'),
      description: `\`null\` and an empty text leave a field empty. ${duplicates}`,
      answer: { is: 'Created', schema: view, status: 201 },
      body: { schema: write, example: examples.create },
      scope: 'records:write',
      errors: [409, 413, 415, 422],
    }),
    Read: route(
      Get(path),
      {
        ...item('Read'),
        description: 'By its id an active or archived one, by a key an active one.',
        scope: 'records:read',
        errors: [404],
      },
      [idOrKey, ApiNotModified()],
    ),
    Update: route(
      Patch(path),
      {
        ...item('Update'),
        description:
          `Changes the fields that the body has: \`null\` or an empty text clears one. ${duplicates} ` +
          '409 `archived` for one that is archived.',
        body: { schema: write, example: examples.change },
        scope: 'records:write',
        errors: [404, 409, 412, 413, 415, 422],
      },
      [idOrKey],
    ),
    Upsert: route(
      Put(path),
      {
        ...item('Upsert'),
        description:
          'Updates the active one that has the key in the path, or creates one that has it. `fields` need not have ' +
          `the key, and may have no other. ${duplicates}`,
        body: { schema: write, example: examples.change },
        scope: 'records:write',
        errors: [409, 412, 413, 415, 422],
      },
      [
        ApiResponse({ status: 201, description: 'Created', schema: reference(view), headers: ETAG }),
        id('The value of the key', UPSERT_KEY.value),
      ],
    ),
    Archive: route(
      Delete(path),
      {
        ...item('Archive'),
        description: 'Its unique keys are free again. 404 for one that is archived already.',
        scope: 'records:write',
        errors: [404, 409, 412, 422],
      },
      [idOrKey],
    ),
    Restore: route(
      Post(`${path}/restore`),
      {
        ...item('Restore'),
        description: `Makes an archived one active again, as it was. ${duplicates} 409 \`not_archived\` for an active one.`,
        scope: 'records:write',
        errors: [404, 409, 412, 422],
      },
      [onlyId],
    ),
    Search: route(Post('search'), {
      summary: `Search ${objectType}`,
      id: `search${plural}`,
      description:
        'Finds those that the filter matches, which is a trigger as routers have: groups are OR-ed, conditions in a ' +
        'group AND-ed. Without a sort in creation order. It sees every write that was answered before. 400 where ' +
        'it would take longer than two seconds: let the filter find fewer, by a unique key, the owner or `create_date`.',
      answer: { is: `The ${objectType}`, schema: found },
      body: { schema: 'RecordSearch', example: searchExample(objectType) },
      scope: 'records:read',
      errors: [413, 415],
    }),
    History: route(
      Get(`${path}/history`),
      {
        summary: `Read the history of one ${singular}`,
        id: `list${view}History`,
        description:
          'Every change of every field, newest first: the values at the creation, each write by a client, each ' +
          'assignment by a router, imports, archiving and restoring. Also of an archived one. Changes of a field ' +
          'that is archived are hidden until it is created again.',
        answer: { is: 'The changes', schema: history },
        scope: 'records:read',
        errors: [404],
      },
      [onlyId],
    ),
    Batch: (action: BatchAction): MethodDecorator =>
      route(Post(`batch/${action}`), {
        summary: `${capitalized(action)} many ${objectType}`,
        id: `batch${capitalized(action)}${plural}`,
        description:
          'One after the other, in the order of `inputs`; each has the status and the answer that a request of its own ' +
          'would have. With `atomic` all or nothing: the status of the first that is refused, and `errors` with the ' +
          '`index` of each input. 413 where the answer would have more than 10 MiB.',
        answer: { is: 'It ran', schema: results },
        body: { schema: `Batch${capitalized(action)}`, example: batchExample(objectType, action) },
        scope: action === 'read' ? 'records:read' : 'records:write',
        errors: [404, 409, 413, 415, ...(action === 'read' ? [] : [422])],
      }),
  };
}
