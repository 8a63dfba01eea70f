import { Controller, Get, HttpCode } from '@nestjs/common';
import { Public } from '../auth/http.js';
import { ApiErrors, ApiOperation, ApiResponse, ApiTags, closedObject } from '../http/index.js';
import { HealthService } from './health.service.js';

const OK = {
  'application/json': {
    schema: closedObject({ status: { type: 'string', enum: ['ok'] } }),
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

  /** 200 when the database answers and the process is not shutting down, else 503. */
  @Public()
  @Get('ready')
  @ApiOperation({
    summary: 'Whether the process can serve',
    operationId: 'ready',
    description:
      '503 while the database does not answer, and while the process shuts down: send it no requests then.',
  })
  @ApiResponse({ status: 200, description: 'It can', content: OK })
  @ApiErrors()
  async ready(): Promise<{ status: 'ok' }> {
    await this.health.assertReady();
    return { status: 'ok' };
  }
}
