import { Controller, Get, HttpCode } from '@nestjs/common';
import { Public } from '../auth/http.js';
import { ApiErrors, ApiOperation, ApiResponse, ApiTags, closedObject, integer } from '../http/index.js';
import { HealthService, type NodesReady } from './health.service.js';

const OK = {
  'application/json': {
    schema: closedObject({ status: { type: 'string', enum: ['ok'] } }),
    examples: { example: { value: { status: 'ok' } } },
  },
};

const READY = {
  'application/json': {
    schema: closedObject(
      { status: { type: 'string', enum: ['ok'] } },
      {
        nodes: {
          ...closedObject({ total: integer(2), away: integer(0) }),
          description:
            'Only with the nodes of a cluster in `DATABASE_URL`: accounts of those that are away get 503',
        },
      },
    ),
    examples: { example: { value: { status: 'ok' } } },
  },
};

@ApiTags('Health')
@Controller('health')
export class HealthController {
  constructor(private readonly health: HealthService) {}

  /** 200 while the process runs. */
  @Public()
  @Get('live')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Whether the process runs',
    operationId: 'live',
    description: 'Asks nobody else: restart the process where this is not answered.',
  })
  @ApiResponse({ status: 200, description: 'It runs', content: OK })
  live(): { status: 'ok' } {
    return { status: 'ok' };
  }

  /**
   * 200 when the database answers and the process is not shutting down, else 503. Where some nodes of a
   * cluster are away, it serves the accounts of the others, and says so (contract section 13).
   */
  @Public()
  @Get('ready')
  @ApiOperation({
    summary: 'Whether the process can serve',
    operationId: 'ready',
    description:
      '503 while the database does not answer, and while the process shuts down: send it no requests then.',
  })
  @ApiResponse({ status: 200, description: 'It can', content: READY })
  @ApiErrors()
  async ready(): Promise<{ status: 'ok'; nodes?: NodesReady }> {
    const nodes = await this.health.assertReady();
    return { status: 'ok', ...(nodes && { nodes }) };
  }
}
