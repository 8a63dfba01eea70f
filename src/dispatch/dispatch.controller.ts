import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { Client, RequireScope, TakesShareItself, type ClientContext } from '../auth/index.js';
import { ApiErrors, NoQueryParameters, RequestId, ValidatedBodyPipe } from '../http/index.js';
import type { BatchResult, DispatchResult } from './transaction/dispatch-result.js';
import { DispatchService } from './dispatch.service.js';
import { DispatchBatchDto } from './dto/dispatch-batch.dto.js';
import { DispatchDto } from './dto/dispatch.dto.js';
import { SimulateDto } from './dto/simulate.dto.js';
import { SimulationService, type SimulationResult } from './simulation/simulation.service.js';

@ApiTags('Dispatch')
@Controller('dispatch')
@RequireScope('dispatch')
export class DispatchController {
  constructor(
    private readonly dispatches: DispatchService,
    private readonly simulations: SimulationService,
  ) {}

  /** Runs a router's assignment rules on one object (clause 4.6). */
  @Post('router')
  @HttpCode(200)
  @TakesShareItself()
  @NoQueryParameters()
  @ApiOperation({ summary: 'Run a router on one object', operationId: 'dispatchRouter' })
  @ApiResponse({
    status: 200,
    description: 'It ran',
    schema: { $ref: '#/components/schemas/DispatchResult' },
  })
  @ApiErrors(400, 401, 403, 404, 409, 413, 415)
  dispatch(
    @Client() client: ClientContext,
    @Body(ValidatedBodyPipe) { router_id, object_id }: DispatchDto,
  ): Promise<DispatchResult> {
    return this.dispatches.dispatch(client, router_id, object_id);
  }

  /** Runs a router on 1 to 100 objects. A refused object does not affect the others (contract section 6). */
  @Post('batch')
  @HttpCode(200)
  @TakesShareItself()
  @NoQueryParameters()
  @ApiOperation({ summary: 'Run a router on several objects', operationId: 'dispatchBatch' })
  @ApiResponse({ status: 200, description: 'It ran', schema: { $ref: '#/components/schemas/BatchResults' } })
  @ApiErrors(400, 401, 403, 404, 413, 415)
  async dispatchBatch(
    @Client() client: ClientContext,
    @RequestId() request_id: string,
    @Body(ValidatedBodyPipe) { router_id, object_ids }: DispatchBatchDto,
  ): Promise<{ results: BatchResult[] }> {
    const results = await this.dispatches.dispatchBatch(client, router_id, object_ids);
    // What was refused is what a single dispatch would have answered.
    return { results: results.map((each) => ('error' in each ? { ...each, request_id } : each)) };
  }

  /** Says what a dispatch would answer, and why. Writes nothing (contract section 6). */
  @Post('simulate')
  @HttpCode(200)
  @NoQueryParameters()
  @ApiOperation({ summary: 'What a dispatch would answer', operationId: 'simulateDispatch' })
  @ApiResponse({ status: 200, description: 'It ran', schema: { $ref: '#/components/schemas/Simulation' } })
  @ApiErrors(400, 401, 403, 404, 409, 413, 415)
  simulate(
    @Client() client: ClientContext,
    @Body(ValidatedBodyPipe) request: SimulateDto,
  ): Promise<SimulationResult> {
    return this.simulations.simulate(client, request);
  }
}
