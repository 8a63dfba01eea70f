import { Module } from '@nestjs/common';
import { MetricsModule } from '../metrics/index.js';
import { HealthController } from './health.controller.js';
import { HealthService } from './health.service.js';
import { MetricsServer } from './metrics-server.js';
import { ServiceMetrics } from './service-metrics.js';

@Module({
  imports: [MetricsModule],
  controllers: [HealthController],
  providers: [HealthService, MetricsServer, ServiceMetrics],
})
export class HealthModule {}
