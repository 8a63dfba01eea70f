import { applyDecorators } from '@nestjs/common';
import type { ObjectType } from '../../fields/index.js';
import { ApiBody, ApiErrors, ApiOperation, ApiResponse, reference } from '../../http/index.js';
import { capitalized } from '../../text/capitalized.js';
import { ApiExpand } from '../references/expand.documentation.js';
import { SEARCH_EXAMPLES } from './search.examples.js';
import { foundName, SEARCH } from './search.schemas.js';

/** Documents POST on the search of a collection (contract section 7). */
export const Search = (objectType: ObjectType): MethodDecorator =>
  applyDecorators(
    ApiOperation({
      summary: `Search ${objectType}`,
      operationId: `search${capitalized(objectType)}`,
      description:
        'Finds those that the filter matches, which is a trigger as routers have: groups are OR-ed, conditions in a ' +
        'group AND-ed. Without a sort in creation order. It sees every write that was answered before. 400 where ' +
        'it would take longer than two seconds: let the filter find fewer, by a unique key, the owner or `create_date`.',
    }),
    ApiResponse({
      status: 200,
      description: `The ${objectType}`,
      schema: reference(foundName(objectType)),
    }),
    ApiBody({
      schema: reference(SEARCH),
      examples: { example: { value: SEARCH_EXAMPLES[objectType] } },
    }),
    ApiExpand(objectType),
    ApiErrors(400, 401, 403, 413, 415),
  );
