import { createHash, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import { LOGGER } from '../logging/create-logger.js';
import { Metrics } from '../metrics/metrics.js';
import { SETTINGS, type Settings } from '../settings/settings.js';

type MetricsSettings = Pick<Settings, 'METRICS_HOST' | 'METRICS_PORT' | 'METRICS_TOKEN'>;

/** Most connections: Prometheus keeps one. */
const MOST_CONNECTIONS = 32;

/** Milliseconds in which a request must be sent, and after which a silent connection is cut. */
const REQUEST_TIMEOUT_MS = 5_000;
const SILENCE_MS = 120_000;

/**
 * Serves `GET /metrics` in the text format of Prometheus, on a listener of its own: what it tells is of all
 * accounts, so it must not be reached by the clients of any, and it answers when the service has no
 * connection left. It listens before the service does, and until the service has stopped.
 */
@Injectable()
export class MetricsServer implements OnApplicationBootstrap, OnApplicationShutdown {
  private server: Server | undefined;

  constructor(
    private readonly metrics: Metrics,
    @Inject(SETTINGS) private readonly settings: MetricsSettings,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** @throws Error naming METRICS_PORT where the port is not free */
  async onApplicationBootstrap(): Promise<void> {
    const { registry } = this.metrics;
    const { METRICS_HOST: host, METRICS_PORT: port } = this.settings;
    if (registry === undefined) return;
    this.server = createServer((request, response) => void this.answer(registry, request, response));
    this.server.maxConnections = MOST_CONNECTIONS;
    this.server.requestTimeout = this.server.headersTimeout = REQUEST_TIMEOUT_MS;
    this.server.keepAliveTimeout = this.server.timeout = SILENCE_MS;
    try {
      this.server.listen(port, host);
      await once(this.server, 'listening');
    } catch (error) {
      const at = `METRICS_PORT ${port ?? ''} of METRICS_HOST ${host}`;
      throw new Error(`Cannot listen on ${at}: ${(error as Error).message}`, { cause: error });
    }
    const { address, family, port: taken } = this.server.address() as AddressInfo;
    const name = family === 'IPv6' ? `[${address}]` : address;
    this.logger.info({ url: `http://${name}:${taken}/metrics` }, 'metrics');
  }

  async onApplicationShutdown(): Promise<void> {
    const { server } = this;
    if (server?.listening !== true) return;
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  }

  private async answer(
    registry: Registry,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const refusal = this.refusal(request);
    if (refusal !== undefined) {
      const { status, headers } = refusal;
      response.writeHead(status, headers).end();
      return;
    }
    try {
      const text = await registry.metrics();
      response.writeHead(200, { 'Content-Type': registry.contentType }).end(text);
    } catch (error) {
      this.logger.error(error, 'the metrics could not be read');
      response.writeHead(500).end();
    }
  }

  /** Why a request is not answered; undefined where it is. */
  private refusal({ method, url, headers }: IncomingMessage): Refusal | undefined {
    if (url?.split('?', 1)[0] !== '/metrics') return { status: 404 };
    if (method !== 'GET' && method !== 'HEAD') return { status: 405, headers: { Allow: 'GET, HEAD' } };
    const { METRICS_TOKEN: token } = this.settings;
    if (token === undefined || isSame(headers.authorization ?? '', `Bearer ${token}`)) return undefined;
    return { status: 401, headers: { 'WWW-Authenticate': 'Bearer' } };
  }
}

interface Refusal {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Compares two texts in a time that does not depend on them. */
function isSame(one: string, other: string): boolean {
  const [first, second] = [one, other].map((text) => createHash('sha256').update(text).digest());
  return first !== undefined && second !== undefined && timingSafeEqual(first, second);
}
