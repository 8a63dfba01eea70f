// Services of its own: their metrics are those of all requests.
import { createServer } from 'node:net';
import { once } from 'node:events';
import { NestFactory } from '@nestjs/core';
import { createDataSource } from '../../src/database/connection/data-source.js';
import { FairleadModule, parseSettings } from '../../src/index.js';
import { createLogger } from '../../src/logging/create-logger.js';
import { Metrics } from '../../src/metrics/metrics.js';
import { ENTITIES } from '../../src/start/entities.js';
import { metricsAddress, metricsOf, type Sample } from '../support/metrics.js';
import { people, router, RoutingAccount } from '../support/routing-account.js';
import { TEST_SECRET, TestService } from '../support/test-service.js';
import { waitFor } from '../support/wait-for.js';

const SECRET_PATH = 'a-name-of-somebody';

let service: TestService;
let account: RoutingAccount;

beforeAll(async () => {
  service = await TestService.start({ env: { METRICS_PORT: '0', METRICS_ROUTERS: '1' } });
  account = await RoutingAccount.open(service, {
    users: people(['ada', 'bob', 'cyd']),
    routers: [
      router('First', { overwrite: true }, { users: people(['ada', 'bob', 'cyd']) }),
      router('Second', {}, { users: people(['ada']) }),
      router('Third', {}, { published: false, users: people(['ada']) }),
    ],
  });
});
afterAll(() => service.stop());

const named = async (name: string): Promise<Sample[]> =>
  (await metricsOf(service)).filter((sample) => sample.name === name);

const requests = (): Promise<Sample[]> => named('fairlead_http_requests_total');

describe('GET /metrics', () => {
  it('counts requests by the pattern of their route, and shows no path as it was sent', async () => {
    await account.api.get(`/contacts/${SECRET_PATH}`);
    await account.api.get(`/${SECRET_PATH}`);
    await account.api.request('PUT', `/contacts?x=${SECRET_PATH}`);
    const expected = [
      { method: 'GET', route: '/contacts/:contactId', status: '404' },
      { method: 'GET', route: 'unmatched', status: '404' },
      { method: 'PUT', route: 'unmatched', status: '405' },
    ];
    // A request is counted once its connection has the whole answer.
    await waitFor('the requests', async () => {
      const labels = (await requests()).map((sample) => JSON.stringify(sample.labels));
      return expected.every((each) => labels.includes(JSON.stringify(each)));
    });
    const [duration] = (await named('fairlead_http_request_duration_seconds_count')).filter(
      ({ labels }) => labels['route'] === '/contacts/:contactId',
    );
    expect(duration).toEqual({
      ...duration,
      labels: { method: 'GET', route: '/contacts/:contactId' },
      value: 1,
    });
    expect(JSON.stringify(await metricsOf(service))).not.toContain(SECRET_PATH);
  });

  it('counts decisions as the log has them, and those of routers beyond the bound together', async () => {
    for (const name of ['First', 'First', 'Second', 'Third', 'Third']) await account.assign(name);
    expect((await account.dispatch('First', 'unknown')).status).toBe(404);
    const { accountId } = await service.account(account.slug);
    const own = { account_id: accountId, router_id: await account.routerId('First') };
    const others = { account_id: 'other', router_id: 'other' };
    const decisions = await named('fairlead_dispatch_decisions_total');
    expect(decisions.map(({ labels, value }) => [labels, value])).toEqual([
      [{ ...own, reason: 'round_robin' }, 2],
      [{ ...others, reason: 'round_robin' }, 1],
      [{ ...others, reason: 'router_unpublished' }, 2],
    ]);
  });

  it('measures connections, the pool, the queue and the process', async () => {
    const values = new Map(
      (await metricsOf(service)).map(({ name, labels, value }) => [name + JSON.stringify(labels), value]),
    );
    expect(values.get('fairlead_http_connections{}')).toBeGreaterThan(0);
    expect(values.get('fairlead_http_connections_limit{}')).toBe(10_000);
    const pool = ['idle', 'busy'].map((state) =>
      values.get(`fairlead_database_pool_connections${JSON.stringify({ state })}`),
    );
    expect(pool[0]! + pool[1]!).toBeGreaterThan(0);
    expect(values.get('fairlead_database_pool_waiting{}')).toBe(0);
    expect(values.get('fairlead_database_pool_limit{}')).toBe(10);
    expect(values.get('fairlead_dispatch_waiting{}')).toBe(0);
    expect(values.get('fairlead_dispatch_transactions{}')).toBe(0);
    for (const name of ['process_cpu_seconds_total', 'nodejs_eventloop_lag_p99_seconds']) {
      expect(values.get(`${name}{}`)).toBeGreaterThanOrEqual(0);
    }
  });

  it('is not at the port of the service, and nowhere but at its path', async () => {
    expect((await service.anonymous.get('/metrics')).status).toBe(404);
    const address = metricsAddress(service);
    expect(new URL(address).hostname).toBe('127.0.0.1');
    expect((await fetch(new URL('/', address))).status).toBe(404);
    expect((await fetch(address, { method: 'POST' })).status).toBe(405);
    expect((await fetch(`${address}?x=1`)).headers.get('content-type')).toContain(
      'text/plain; version=0.0.4',
    );
  });
});

describe('The listener of metrics', () => {
  it('is not there unless it is asked for', async () => {
    const silent = await TestService.start({ database: service.database });
    expect(silent.logs.filter(({ msg }) => msg === 'metrics')).toEqual([]);
    await silent.stop();
  });

  it('asks for a token where one is set', async () => {
    const METRICS_TOKEN = 'a-token-of-16-bytes-or-more';
    const closed = await TestService.start({
      database: service.database,
      env: { METRICS_PORT: '0', METRICS_TOKEN },
    });
    const statusWith = async (authorization?: string): Promise<number> =>
      (await fetch(metricsAddress(closed), authorization === undefined ? {} : { headers: { authorization } }))
        .status;
    expect([
      await statusWith(),
      await statusWith('Bearer another-token'),
      await statusWith(`Bearer ${account.api.token!}`),
      await statusWith(`Bearer ${METRICS_TOKEN}`),
    ]).toEqual([401, 401, 401, 200]);
    await closed.stop();
    await expect(fetch(metricsAddress(closed))).rejects.toThrow();
  });

  it('says which setting is wrong where its port is taken', async () => {
    const holder = createServer().listen(0, '127.0.0.1');
    await once(holder, 'listening');
    const { port } = holder.address() as { port: number };
    const start = TestService.start({ database: service.database, env: { METRICS_PORT: String(port) } });
    await expect(start).rejects.toThrow(`Cannot listen on METRICS_PORT ${port} of METRICS_HOST 127.0.0.1: `);
    holder.close();
  });

  it('is there without HTTP, and then counts no connections of clients', async () => {
    const dataSource = createDataSource({ url: service.database.url, poolSize: 1, entities: ENTITIES });
    await dataSource.initialize();
    const settings = parseSettings({ JWT_SECRET: TEST_SECRET, METRICS_PORT: '0' });
    const options = { dataSource, settings, logger: createLogger('silent') };
    const context = await NestFactory.createApplicationContext(FairleadModule.forRoot(options), {
      logger: false,
      abortOnError: false,
    });
    const text = await context.get(Metrics, { strict: false }).registry?.metrics();
    expect(text).toContain('fairlead_database_pool_limit 1');
    expect(text).not.toContain('fairlead_http_connections');
    await context.close();
    await dataSource.destroy();
  });
});
