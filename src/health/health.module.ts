import { Module } from '@nestjs/common';
import { MetricsModule } from '../metrics/index.js';
import { HealthController } from './health.controller.js';
import { HealthService } from './health.service.js';
import { MetricsServer } from './metrics-server.js';
import { ProcessesRepository } from './processes.repository.js';
import { ServiceMetrics } from './service-metrics.js';
import { SizesRepository } from './sizes.repository.js';
import { StatusController } from './status.controller.js';
import { StatusService } from './status.service.js';

@Module({
  imports: [MetricsModule],
  controllers: [HealthController, StatusController],
  providers: [
    HealthService,
    MetricsServer,
    ProcessesRepository,
    ServiceMetrics,
    SizesRepository,
    StatusService,
  ],
})
export class HealthModule {}
