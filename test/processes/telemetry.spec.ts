import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { ApiClient } from '../support/api-client.js';
import { ServerProcesses } from '../support/processes/server-processes.js';
import { RoutingAccount } from '../support/routing-account.js';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const SECRET_VALUE = 'Wittgenstein';

interface Sent {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly attributes: { key: string; value: { stringValue?: string } }[];
}

/** A collector that takes OTLP over HTTP. */
let collector: Server;
let received: any[];
let processes: ServerProcesses;
let account: RoutingAccount;

beforeAll(async () => {
  collector = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      received.push({ path: request.url, ...JSON.parse(body) });
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  }).listen(0, '127.0.0.1');
  await once(collector, 'listening');
  processes = await ServerProcesses.create();
  account = await RoutingAccount.open(processes.desk, {});
});
beforeEach(() => (received = []));
afterEach(() => processes.end());
afterAll(async () => {
  await processes.close();
  collector.close();
  collector.closeAllConnections();
  await once(collector, 'close');
});

/** Starts a server, asks it for a contact, and stops it. */
async function askOnce(env: Record<string, string>): Promise<void> {
  const id = await account.contact({ last_name: SECRET_VALUE });
  const server = processes.programs.server({ ...processes.env, ...env });
  const api = new ApiClient(await server.listening(), account.api.token);
  const headers = { traceparent: `00-${TRACE}-b7ad6b7169203331-01` };
  const { status } = await api.get(`/contacts/${id}?properties=last_name`, { headers });
  expect(status).toBe(200);
  expect(await server.stop()).toBe(0);
}

const endpoint = (): string => `http://127.0.0.1:${(collector.address() as AddressInfo).port}`;

describe('OpenTelemetry', () => {
  it('gets the trace of a request with its statements, as a part of that of the client', async () => {
    await askOnce({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint(), OTEL_SERVICE_NAME: 'crm' });
    expect(received.map(({ path }) => path)).toContain('/v1/traces');
    const resources = received.flatMap(({ resourceSpans }) => resourceSpans);
    const names = resources.flatMap(({ resource }) => resource.attributes);
    expect(names).toContainEqual({ key: 'service.name', value: { stringValue: 'crm' } });
    const spans: Sent[] = resources
      .flatMap(({ scopeSpans }) => scopeSpans)
      .flatMap((scope) => scope.spans)
      .filter(({ traceId }) => traceId === TRACE);
    const request = spans.find(({ name }) => name === 'GET /contacts/:contactId');
    expect(request?.parentSpanId).toBe('b7ad6b7169203331');
    expect(request?.attributes).toContainEqual({
      key: 'http.route',
      value: { stringValue: '/contacts/:contactId' },
    });
    const below = spans.filter(({ name }) => name.startsWith('pg'));
    expect(below.length).toBeGreaterThan(0);
    const ids = new Set(spans.map(({ spanId }) => spanId));
    for (const { parentSpanId } of below) expect(ids.has(parentSpanId!)).toBe(true);
    const text = JSON.stringify(received);
    for (const secret of [SECRET_VALUE, account.api.token!, 'properties='])
      expect(text).not.toContain(secret);
  });

  it('gets nothing where it is disabled', async () => {
    await askOnce({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint(), OTEL_SDK_DISABLED: 'true' });
    expect(received).toEqual([]);
  });
});
