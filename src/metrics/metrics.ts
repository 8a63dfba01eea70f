import { Inject, Injectable, Module } from '@nestjs/common';
import { Registry } from 'prom-client';
import { SETTINGS, type Settings } from '../settings/settings.js';

/** The metrics of this process. Each room adds those of its own. */
@Injectable()
export class Metrics {
  /** Undefined where no `METRICS_PORT` is set: nothing is measured then. */
  readonly registry: Registry | undefined;

  constructor(@Inject(SETTINGS) { METRICS_PORT }: Pick<Settings, 'METRICS_PORT'>) {
    this.registry = METRICS_PORT === undefined ? undefined : new Registry();
  }
}

@Module({ providers: [Metrics], exports: [Metrics] })
export class MetricsModule {}
