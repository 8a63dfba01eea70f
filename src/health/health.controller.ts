import { Controller, Get, HttpCode } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Public } from '../auth/index.js';
import { HealthService } from './health.service.js';

@ApiTags('Health')
@Controller('health')
export class HealthController {
  constructor(private readonly health: HealthService) {}

  /** 200 while the process runs. */
  @Public()
  @Get('live')
  @HttpCode(200)
  live(): { status: 'ok' } {
    return { status: 'ok' };
  }

  /** 200 when the process can serve: the database answers and no shutdown is under way. Else 503. */
  @Public()
  @Get('ready')
  async ready(): Promise<{ status: 'ok' }> {
    await this.health.assertReady();
    return { status: 'ok' };
  }
}
