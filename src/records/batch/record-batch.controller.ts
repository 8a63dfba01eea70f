import { Controller, HttpCode, Post, type Type } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { RequireScope } from '../../auth/http.js';
import { OBJECT_TYPES, type ObjectType } from '../../fields/index.js';
import { batchAnswer, dtoBody, PartsOfRequest, RequestId, type RequestParts } from '../../http/index.js';
import { IdempotentRequests, Repeatable, type RepeatableRequest } from '../../idempotency/http.js';
import { capitalized } from '../../text/capitalized.js';
import { BATCH_ACTIONS, type BatchAction } from './batch-action.js';
import { BatchDto } from './batch.dto.js';
import * as documented from './batch.documentation.js';
import { RecordBatchService, type BatchEntry } from './record-batch.service.js';

/** Creates the controller of one action on many records of an object type (contract section 7). */
function batchController(objectType: ObjectType, action: BatchAction): Type {
  @ApiTags(capitalized(objectType))
  @Controller(objectType)
  class RecordBatchController {
    constructor(
      private readonly batches: RecordBatchService,
      private readonly requests: IdempotentRequests,
    ) {}

    @Post(`batch/${action}`)
    @HttpCode(200)
    @RequireScope(action === 'read' ? 'records:read' : 'records:write')
    @documented.Batch(objectType, action)
    run(
      @Repeatable() request: RepeatableRequest,
      @RequestId() request_id: string,
      @PartsOfRequest({ body: dtoBody(BatchDto) })
      { body: batch, failures }: RequestParts<never, BatchDto | undefined>,
    ): Promise<{ results: BatchEntry[] }> {
      return this.requests.once(request, async (client) => {
        const results = await this.batches.run(client, { objectType, action, batch, failures });
        return batchAnswer(results, request_id);
      });
    }
  }

  Object.defineProperty(RecordBatchController, 'name', { value: `${objectType}Batch${action}Controller` });
  return RecordBatchController;
}

/** The controllers of all batches. Their paths must come before those with the id of a record. */
export const BATCH_CONTROLLERS: Type[] = OBJECT_TYPES.flatMap((objectType) =>
  BATCH_ACTIONS.map((action) => batchController(objectType, action)),
);
