import { Registry } from 'prom-client';
import { RequestMetrics, type ServedRequest } from './request-metrics.js';

const CONTACT: ServedRequest = { method: 'GET', route: '/contacts/:contactId', status: 200, seconds: 0.004 };

/** The lines about requests, without help and types. */
async function linesAfter(...requests: readonly Partial<ServedRequest>[]): Promise<string[]> {
  const registry = new Registry();
  const metrics = new RequestMetrics(registry);
  for (const request of requests) metrics.note({ ...CONTACT, ...request });
  const text = await registry.metrics();
  return text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
}

describe('the metrics of requests', () => {
  it('count by method, route and status', async () => {
    const lines = await linesAfter({}, {}, { status: 404 }, { status: null });
    const labels = 'method="GET",route="/contacts/:contactId",status=';
    expect(lines).toEqual(
      expect.arrayContaining([
        `fairlead_http_requests_total{${labels}"200"} 2`,
        `fairlead_http_requests_total{${labels}"404"} 1`,
        `fairlead_http_requests_total{${labels}"none"} 1`,
      ]),
    );
  });

  it('measure by method and route', async () => {
    const lines = await linesAfter({}, { seconds: 3 });
    const bucket = (bound: string): string | undefined =>
      lines.find((line) => line.includes(`_bucket{le="${bound}"`))?.split(' ')[1];
    expect(['0.002', '0.005', '2.5', '5', '+Inf'].map(bucket)).toEqual(['0', '1', '1', '2', '2']);
  });

  it('have one series for all that has no route, and one for methods that no route has', async () => {
    const lines = await linesAfter(
      { route: undefined },
      { method: 'BREW', status: 405 },
      { method: 'MKCOL', status: 405 },
    );
    expect(lines.filter((line) => line.startsWith('fairlead_http_requests_total'))).toEqual([
      'fairlead_http_requests_total{method="GET",route="unmatched",status="200"} 1',
      'fairlead_http_requests_total{method="other",route="/contacts/:contactId",status="405"} 2',
    ]);
  });
});
