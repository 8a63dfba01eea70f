import type { Server } from 'node:http';
import { promisify } from 'node:util';
import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { collectDefaultMetrics, Gauge } from 'prom-client';
import { Database } from '../database/index.js';
import { Metrics } from '../metrics/metrics.js';
import { SETTINGS, type Settings } from '../settings/settings.js';

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
    const { database, settings } = this;
    const registers = [registry];
    const gauge = (name: string, help: string, read: () => number | Promise<number>): unknown =>
      new Gauge({
        name,
        help,
        registers,
        async collect() {
          this.set(await read());
        },
      });
    // A context without HTTP has no adapter.
    const adapter = this.host.httpAdapter as HttpAdapterHost['httpAdapter'] | null;
    if (adapter !== null) {
      const server = adapter.getHttpServer() as Server;
      const clients = promisify(server.getConnections.bind(server));
      gauge('fairlead_http_connections', 'Connections of clients', () => clients());
      gauge('fairlead_http_connections_limit', 'Most connections of clients', () => settings.MAX_CONNECTIONS);
    }
    gauge(
      'fairlead_database_pool_waiting',
      'Work that waits for a connection to the database',
      () => database.use.waiting,
    );
    gauge('fairlead_database_pool_limit', 'Most connections to the database', () => database.connections);
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
      name: 'fairlead_database_node_up',
      help: 'Whether a node of the cluster answers',
      labelNames: ['node'],
      registers,
      collect() {
        // One that has become a standby is left out.
        this.reset();
        for (const { host, isAway } of database.nodes) this.set({ node: host }, isAway ? 0 : 1);
      },
    });
    new Gauge({
      name: 'fairlead_database_node_connections',
      help: 'Connections to a node of the cluster for the accounts that it has, busy and idle, and work that waits for one',
      labelNames: ['node', 'state'],
      registers,
      collect() {
        this.reset();
        for (const { host, open, idle, waiting } of database.nodes) {
          this.set({ node: host, state: 'busy' }, open - idle);
          this.set({ node: host, state: 'idle' }, idle);
          this.set({ node: host, state: 'waiting' }, waiting);
        }
      },
    });
  }
}
