import { Counter, Histogram, type Registry } from 'prom-client';

/** A request that is over. */
export interface ServedRequest {
  readonly method: string;
  /** The pattern of the route, such as `/contacts/:contactId`; undefined where none matched. */
  readonly route: string | undefined;
  /** Null where its connection was lost before the answer began. */
  readonly status: number | null;
  readonly seconds: number;
}

/** Methods with series of their own. Node.js accepts some thirty others. */
const METHODS: ReadonlySet<string> = new Set(['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT']);

/** Upper bounds in seconds. A request is over after `REQUEST_TIMEOUT_MS`, which is 14 s. */
const SECONDS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15];

/**
 * Counts requests by method, route and status, and measures them by method and route. A label is never a path
 * as it was sent: there are as many series as the application has routes.
 */
export class RequestMetrics {
  private readonly requests: Counter<'method' | 'route' | 'status'>;
  private readonly durations: Histogram<'method' | 'route'>;

  constructor(registry: Registry) {
    const registers = [registry];
    this.requests = new Counter({
      name: 'fairlead_http_requests_total',
      help: 'Requests, by the status of their answers; none where the connection was lost before',
      labelNames: ['method', 'route', 'status'],
      registers,
    });
    this.durations = new Histogram({
      name: 'fairlead_http_request_duration_seconds',
      help: 'Time from the head of a request to the end of its answer',
      labelNames: ['method', 'route'],
      buckets: SECONDS,
      registers,
    });
  }

  note({ method: sent, route = 'unmatched', status, seconds }: ServedRequest): void {
    const method = METHODS.has(sent) ? sent : 'other';
    this.requests.inc({ method, route, status: status ?? 'none' });
    this.durations.observe({ method, route }, seconds);
  }
}
