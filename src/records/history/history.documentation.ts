import { applyDecorators } from '@nestjs/common';
import { OBJECT_TYPE_RULES, type ObjectType } from '../../fields/index.js';
import {
  ApiErrors,
  ApiFilter,
  ApiLimit,
  ApiOperation,
  ApiParam,
  ApiQuery,
  ApiResponse,
  reference,
  text,
} from '../../http/index.js';
import { schemaNames } from '../record.schemas.js';
import { CHANGE_CURSOR, HISTORY_PAGE } from './history.schemas.js';

/** Documents GET on the history of an item (contract section 7). */
export const History = (objectType: ObjectType): MethodDecorator => {
  const { singular } = OBJECT_TYPE_RULES[objectType];
  return applyDecorators(
    ApiOperation({
      summary: `Read the history of one ${singular}`,
      operationId: `list${schemaNames(objectType).view}History`,
      description:
        'Every change of every field, newest first: the values at the creation, each write by a client, each ' +
        'assignment by a router, imports, archiving and restoring. Also of an archived one. Changes of a field ' +
        'that is archived are hidden until it is created again.',
    }),
    ApiParam({
      name: `${singular}Id`,
      schema: { type: 'string', minLength: 1, maxLength: 16_384, pattern: '^[^\\u0000]*$' },
      description: 'The id of the record',
    }),
    ApiFilter(
      'field',
      'Changes of this field: one of the type, the assigned date of a user field, or `archived`',
      text('Internal name', 200),
    ),
    ApiLimit(),
    ApiQuery({
      name: 'after',
      required: false,
      schema: CHANGE_CURSOR,
      description:
        'The `next` of the page before. A page ends early, with fewer changes than `limit`, where its answer ' +
        'would exceed 10 MiB.',
    }),
    ApiResponse({ status: 200, description: 'The changes', schema: reference(HISTORY_PAGE) }),
    ApiErrors(400, 401, 403, 404),
  );
};
