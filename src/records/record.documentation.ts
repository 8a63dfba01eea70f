import { applyDecorators } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiParam, ApiQuery, ApiResponse } from '@nestjs/swagger';
import { OBJECT_TYPE_RULES, type ObjectType } from '../fields/index.js';
import { ApiAfter, ApiErrors, ApiPageQuery, reference } from '../http/index.js';
import { schemaNames } from './record.schemas.js';

const ApiProperties = (): MethodDecorator =>
  ApiQuery({
    name: 'properties',
    required: false,
    schema: { type: 'string' },
    description: 'Fields to return beside the default ones: comma-separated, repeated, or both',
    example: 'create_date,last_modified_date',
  });

/** Documents how the path names a record. */
const ApiIdProperty = (objectType: ObjectType, required = false): MethodDecorator =>
  ApiQuery({
    name: 'id_property',
    required,
    schema: { type: 'string', enum: [...OBJECT_TYPE_RULES[objectType].uniqueKeys] },
    description: 'The unique key whose value the path has in place of an id',
  });

/** Documents what all operations on one record have in common. */
function itemOperation(objectType: ObjectType, verb: string): MethodDecorator {
  const { singular } = OBJECT_TYPE_RULES[objectType];
  const { view } = schemaNames(objectType);
  return applyDecorators(
    ApiOperation({ summary: `${verb} one ${singular}`, operationId: `${verb.toLowerCase()}${view}` }),
    ApiResponse({ status: 200, description: 'Done', schema: reference(view) }),
    ApiParam({
      name: `${singular}Id`,
      schema: { type: 'string' },
      description: 'The id of the record; with id_property, the value of that key',
    }),
  );
}

const LOCATION = { Location: { description: 'The path of the record', schema: { type: 'string' as const } } };

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/** Documents GET on a collection (clause 4.2). */
export const List = (objectType: ObjectType): MethodDecorator =>
  applyDecorators(
    ApiOperation({ summary: `List ${objectType}`, operationId: `list${capital(objectType)}` }),
    ApiResponse({ status: 200, description: 'Done', schema: reference(schemaNames(objectType).list) }),
    ApiPageQuery(),
    ApiAfter(),
    ApiProperties(),
    ApiErrors(400, 401, 403),
  );

/** Documents POST on a collection (clause 4.3). */
export const Create = (objectType: ObjectType): MethodDecorator => {
  const { view, write } = schemaNames(objectType);
  return applyDecorators(
    ApiOperation({
      summary: `Create one ${OBJECT_TYPE_RULES[objectType].singular}`,
      operationId: `create${view}`,
    }),
    ApiResponse({ status: 201, description: 'Created', schema: reference(view), headers: LOCATION }),
    ApiBody({ schema: reference(write) }),
    ApiProperties(),
    ApiErrors(400, 401, 403, 409, 413, 415),
  );
};

/** Documents GET on an item (clause 4.4). */
export const Read = (objectType: ObjectType): MethodDecorator =>
  applyDecorators(
    itemOperation(objectType, 'Read'),
    ApiIdProperty(objectType),
    ApiProperties(),
    ApiErrors(400, 401, 403, 404),
  );

/** Documents PATCH on an item (clause 4.4). */
export const Update = (objectType: ObjectType): MethodDecorator =>
  applyDecorators(
    itemOperation(objectType, 'Update'),
    ApiBody({ schema: reference(schemaNames(objectType).write) }),
    ApiIdProperty(objectType),
    ApiProperties(),
    ApiErrors(400, 401, 403, 404, 409, 413, 415),
  );

/** Documents PUT on an item (contract section 7). */
export const Upsert = (objectType: ObjectType): MethodDecorator => {
  const { view, write } = schemaNames(objectType);
  return applyDecorators(
    itemOperation(objectType, 'Upsert'),
    ApiResponse({ status: 201, description: 'Created', schema: reference(view), headers: LOCATION }),
    ApiBody({ schema: reference(write) }),
    ApiIdProperty(objectType, true),
    ApiProperties(),
    ApiErrors(400, 401, 403, 409, 413, 415),
  );
};

/** Documents DELETE on an item (clause 3). */
export const Archive = (objectType: ObjectType): MethodDecorator =>
  applyDecorators(
    itemOperation(objectType, 'Archive'),
    ApiIdProperty(objectType),
    ApiErrors(400, 401, 403, 404),
  );
