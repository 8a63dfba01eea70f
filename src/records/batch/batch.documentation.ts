import { applyDecorators } from '@nestjs/common';
import type { ObjectType } from '../../fields/index.js';
import {
  ApiBody,
  ApiErrors,
  ApiIdempotencyKey,
  ApiOperation,
  ApiResponse,
  reference,
} from '../../http/index.js';
import { capitalized } from '../../text/capitalized.js';
import { EXAMPLE_ID, UPSERT_KEY, writeExamples } from '../record.examples.js';
import { ApiExpand } from '../references/expand.documentation.js';
import type { BatchAction } from './batch-action.js';
import { batchName, resultsName } from './batch.schemas.js';

/** Documents POST on a batch of a collection (contract section 7). */
export function Batch(objectType: ObjectType, action: BatchAction): MethodDecorator {
  const verb = capitalized(action);
  const isRead = action === 'read';
  return applyDecorators(
    ApiOperation({
      summary: `${verb} many ${objectType}`,
      operationId: `batch${verb}${capitalized(objectType)}`,
      description:
        'One after the other, in the order of `inputs`; each has the status and the answer that a request of its own ' +
        'would have. With `atomic` all or nothing: the status of the first that is refused, and `errors` with the ' +
        '`index` of each input. 413 where the answer would have more than 10 MiB.',
    }),
    ApiResponse({ status: 200, description: 'It ran', schema: reference(resultsName(objectType)) }),
    ApiBody({
      schema: reference(batchName(action)),
      examples: { example: { value: example(objectType, action) } },
    }),
    isRead ? ApiExpand(objectType) : ApiIdempotencyKey(),
    ApiErrors(400, 401, 403, 404, 409, 413, 415, ...(isRead ? [] : [422])),
  );
}

/** A body, for the document. */
function example(objectType: ObjectType, action: BatchAction): object {
  const { update, upsert } = writeExamples(objectType);
  const byKey = { id_property: UPSERT_KEY.property };
  const id = UPSERT_KEY.value;
  switch (action) {
    case 'create':
      return { inputs: [upsert], atomic: true };
    case 'update':
      return { inputs: [{ id, ...update }], ...byKey };
    case 'upsert':
      return { inputs: [{ id, ...upsert }], ...byKey };
    case 'restore':
      return { inputs: [{ id: EXAMPLE_ID }] };
    default:
      return { inputs: [{ id }], ...byKey };
  }
}
