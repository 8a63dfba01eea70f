import { Module } from '@nestjs/common';
import { MetricsModule } from '../metrics/metrics.js';
import { HealthController } from './health.controller.js';
import { HealthService } from './health.service.js';
import { MetricsServer } from './metrics-server.js';
import { ServiceMetrics } from './service-metrics.js';
import { StatusController } from './status.controller.js';
import { StatusRepository } from './status.repository.js';
import { StatusService } from './status.service.js';

@Module({
  imports: [MetricsModule],
  controllers: [HealthController, StatusController],
  providers: [HealthService, MetricsServer, ServiceMetrics, StatusRepository, StatusService],
})
export class HealthModule {}
