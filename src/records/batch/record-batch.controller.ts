import { Controller, HttpCode, Post, type Type } from '@nestjs/common';
import { Client, RequireScope } from '../../auth/http.js';
import type { ClientContext } from '../../auth/index.js';
import type { ObjectType } from '../../fields/index.js';
import {
  ApiTags,
  PartsOfRequest,
  RequestId,
  type RequestParts,
  batchAnswer,
  dtoBody,
} from '../../http/index.js';
import { IdempotentRequests, Repeatable, type RepeatableRequest } from '../../idempotency/http.js';
import { capitalized } from '../../text/capitalized.js';
import { BATCH_ACTIONS, BatchDto, BatchReadDto, type BatchAction } from './batch.dto.js';
import { documentationOf } from '../record.documentation.js';
import { expandParameter } from '../record.parameters.js';
import { RecordBatchService, type BatchEntry } from './record-batch.service.js';

interface Expanded {
  readonly expand: readonly string[];
}

/** Creates the controller of one way to write many records of an object type (contract section 7). */
function writeController(objectType: ObjectType, action: Exclude<BatchAction, 'read'>): Type {
  @ApiTags(capitalized(objectType))
  @Controller(objectType)
  class BatchWriteController {
    constructor(
      private readonly batches: RecordBatchService,
      private readonly requests: IdempotentRequests,
    ) {}

    @Post(`batch/${action}`)
    @HttpCode(200)
    @RequireScope('records:write')
    @(documentationOf(objectType).batch(action))
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

  Object.defineProperty(BatchWriteController, 'name', { value: `${objectType}Batch${action}Controller` });
  return BatchWriteController;
}

/** Creates the controller that reads many records of an object type (contract section 7). */
function readController(objectType: ObjectType): Type {
  @ApiTags(capitalized(objectType))
  @Controller(objectType)
  class BatchReadController {
    constructor(private readonly batches: RecordBatchService) {}

    @Post('batch/read')
    @HttpCode(200)
    @RequireScope('records:read')
    @(documentationOf(objectType).batch('read'))
    async run(
      @Client() client: ClientContext,
      @RequestId() request_id: string,
      @PartsOfRequest({ query: { expand: expandParameter(objectType) }, body: dtoBody(BatchReadDto) })
      { query, body: batch, failures }: RequestParts<Expanded, BatchReadDto | undefined>,
    ): Promise<{ results: BatchEntry[] }> {
      const named = failures.mentions('expand') ? [] : (batch?.expand ?? []);
      const expand = [...query.expand, ...named];
      const results = await this.batches.run(client, { objectType, action: 'read', batch, expand, failures });
      return batchAnswer(results, request_id);
    }
  }

  Object.defineProperty(BatchReadController, 'name', { value: `${objectType}BatchreadController` });
  return BatchReadController;
}

/** Makes the controllers of a type's batches. Their paths must come before those with the id of a record. */
export const batchControllers = (objectType: ObjectType): Type[] =>
  BATCH_ACTIONS.map((action) =>
    action === 'read' ? readController(objectType) : writeController(objectType, action),
  );
