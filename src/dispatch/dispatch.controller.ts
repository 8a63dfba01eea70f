import { Controller, Post } from '@nestjs/common';
import type { ClientContext } from '../auth/index.js';
import { IdempotentRequests, Repeatable, type RepeatableRequest } from '../idempotency/http.js';
import { Client, insufficientScope, RequireScope, TakesShareItself } from '../auth/http.js';
import {
  ApiRoute,
  ApiTags,
  PartsOfRequest,
  RequestId,
  type RequestParts,
  batchAnswer,
  dtoBody,
} from '../http/index.js';
import type { BatchResult, DispatchResult } from './transaction/dispatch-result.js';
import { REQUESTS } from './dispatch.schemas.js';
import { DispatchService } from './dispatch.service.js';
import { DispatchBatchDto, DispatchDto, SimulateDto } from './dto/dispatch.dto.js';
import { SimulationService, type SimulationResult } from './simulation/simulation.service.js';

/** What a simulation of an edit needs beside the scope of the route. */
const READING = ['records:read', 'routers:read'] as const;

@ApiTags('Dispatch')
@Controller('dispatch')
@RequireScope('dispatch')
export class DispatchController {
  constructor(
    private readonly dispatches: DispatchService,
    private readonly requests: IdempotentRequests,
    private readonly simulations: SimulationService,
  ) {}

  /** Runs a router's assignment rules on one object (clause 4.6). */
  @Post('router')
  @TakesShareItself()
  @ApiRoute({
    summary: 'Run a router on one object',
    id: 'dispatchRouter',
    description:
      'Sets the owner of the record to the user whose turn it is, or says why nobody gets it: both answer 200. ' +
      '`GET /assignments/{assignmentId}` explains the decision.',
    body: { schema: 'DispatchRequest', examples: REQUESTS.dispatch },
    answer: { is: 'It ran', schema: 'DispatchResult' },
    errors: [404, 409, 413, 415, 422],
  })
  dispatch(
    @Repeatable() request: RepeatableRequest,
    @PartsOfRequest({ body: dtoBody(DispatchDto) }) { body, failures }: RequestParts<never, DispatchDto>,
  ): Promise<DispatchResult> {
    const dispatch = (client: ClientContext): Promise<DispatchResult> =>
      this.dispatches.dispatch(client, body.router_id, body.object_id);
    return this.requests.once(request, dispatch, failures);
  }

  /** Runs a router on 1 to 100 objects. A refused object does not affect the others (contract section 6). */
  @Post('batch')
  @TakesShareItself()
  @ApiRoute({
    summary: 'Run a router on several objects',
    id: 'dispatchBatch',
    description:
      'One after the other, in the order of the request. One that is refused does not affect the others.',
    body: { schema: 'BatchRequest', examples: REQUESTS.batch },
    answer: { is: 'It ran', schema: 'BatchResults' },
    errors: [404, 409, 413, 415, 422],
  })
  dispatchBatch(
    @Repeatable() request: RepeatableRequest,
    @RequestId() request_id: string,
    @PartsOfRequest({ body: dtoBody(DispatchBatchDto) })
    { body, failures }: RequestParts<never, DispatchBatchDto>,
  ): Promise<{ results: BatchResult[] }> {
    const dispatch = async (client: ClientContext): Promise<{ results: BatchResult[] }> => {
      const results = await this.dispatches.dispatchBatch(client, body.router_id, body.object_ids);
      return batchAnswer(results, request_id);
    };
    return this.requests.once(request, dispatch, failures);
  }

  /** Says what a dispatch would answer, and why. Writes nothing (contract section 6). */
  @Post('simulate')
  @ApiRoute({
    summary: 'What a dispatch would answer',
    id: 'simulateDispatch',
    description:
      'For a record, or for fields of one that does not exist, now or at another instant, by the live version of a ' +
      'router, by another, or by an edit that is not stored, which needs `records:read` and `routers:read` too. ' +
      'Writes nothing, and moves no rotation.',
    body: { schema: 'SimulationRequest', examples: REQUESTS.simulation },
    answer: { is: 'What it would answer', schema: 'Simulation' },
    errors: [404, 409, 413, 415],
  })
  simulate(
    @Client() client: ClientContext,
    @PartsOfRequest({ body: dtoBody(SimulateDto) })
    { body, failures }: RequestParts<never, SimulateDto | undefined>,
  ): Promise<SimulationResult> {
    // Traces of an edit show what fields a record has.
    const needed = body?.router === undefined ? [] : READING;
    const missing = needed.find((scope) => !client.scopes.has(scope));
    if (missing !== undefined) throw insufficientScope(missing);
    return this.simulations.simulate(client, body, failures);
  }
}
