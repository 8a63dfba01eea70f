import type { Server } from 'node:http';
import { promisify } from 'node:util';
import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { collectDefaultMetrics, Gauge, type Registry } from 'prom-client';
import { Database } from '../database/index.js';
import { Metrics } from '../metrics/index.js';
import type { Settings } from '../settings/settings.js';
import { SETTINGS } from '../settings/settings.token.js';

/** Measures what all requests share: the process, the connections of clients and those to the database. */
@Injectable()
export class ServiceMetrics implements OnApplicationBootstrap {
  constructor(
    private readonly metrics: Metrics,
    private readonly database: Database,
    private readonly host: HttpAdapterHost,
    @Inject(SETTINGS) private readonly settings: Pick<Settings, 'MAX_CONNECTIONS'>,
  ) {}

  onApplicationBootstrap(): void {
    const { registry } = this.metrics;
    if (registry === undefined) return;
    collectDefaultMetrics({ register: registry });
    this.addClients(registry);
    this.addPool(registry);
  }

  private addClients(registry: Registry): void {
    const { host, settings } = this;
    const registers = [registry];
    new Gauge({
      name: 'fairlead_http_connections',
      help: 'Connections of clients',
      registers,
      async collect() {
        const server = host.httpAdapter.getHttpServer() as Server;
        this.set(await promisify(server.getConnections.bind(server))());
      },
    });
    new Gauge({
      name: 'fairlead_http_connections_limit',
      help: 'Most connections of clients',
      registers,
    }).set(settings.MAX_CONNECTIONS);
  }

  private addPool(registry: Registry): void {
    const { database } = this;
    const registers = [registry];
    new Gauge({
      name: 'fairlead_database_pool_connections',
      help: 'Connections to the database, busy and idle',
      labelNames: ['state'],
      registers,
      collect() {
        const { open, idle } = database.use;
        this.set({ state: 'busy' }, open - idle);
        this.set({ state: 'idle' }, idle);
      },
    });
    new Gauge({
      name: 'fairlead_database_pool_waiting',
      help: 'Work that waits for a connection to the database',
      registers,
      collect() {
        this.set(database.use.waiting);
      },
    });
    new Gauge({
      name: 'fairlead_database_pool_limit',
      help: 'Most connections to the database',
      registers,
    }).set(database.connections);
  }
}
