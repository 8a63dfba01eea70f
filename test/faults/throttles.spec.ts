import type { ApiClient, ApiResponse } from '../support/api-client.js';
import { expectError, expectSomeError } from '../support/error-object.js';
import { inPortions } from '../support/in-portions.js';
import { PostgresProxy } from '../support/database/postgres-proxy.cjs';
import { createTestDatabase, type TestDatabase } from '../support/database/test-database.js';
import { TestService } from '../support/test-service.js';
import { sql } from '../support/database/stored-records.js';
import { waitFor } from '../support/wait-for.js';

const LIMIT = 400;

let database: TestDatabase;
let proxy: PostgresProxy;
let service: TestService;

beforeEach(async () => {
  database = await createTestDatabase();
  proxy = await PostgresProxy.start(database.url);
  service = await TestService.start({
    database: { url: proxy.url, drop: () => Promise.resolve() },
    env: { RATE_LIMIT_PER_CLIENT: String(LIMIT) },
  });
});
afterEach(async () => {
  await service.stop();
  await proxy.cut();
  await database.drop();
});

/** Most requests at a time. One that waits for others of its account for five seconds is refused. */
const PORTION = 50;

const send = (api: ApiClient, count: number): Promise<ApiResponse[]> =>
  inPortions(count, PORTION, () => api.get('/contacts'));

const countOf = (answers: readonly ApiResponse[], status: number): number =>
  answers.filter((answer) => answer.status === status).length;

/** Waits until the service does not know any more whether a client may act. */
async function forgotten(api: ApiClient): Promise<void> {
  await waitFor('the status of the client to be asked again', async () => {
    const { status } = await api.post('/contacts', { fields: {} });
    expect([403, 503]).toContain(status);
    return status === 503;
  });
}

describe('While the database is away', () => {
  it('a client beyond its limit is refused, without a question to the database [contract 1, contract 6]', async () => {
    const [spent, reader] = [await service.login('acme'), await service.login('acme', ['records:read'])];
    expect(countOf(await send(spent, LIMIT), 200)).toBe(LIMIT);
    expect((await reader.post('/contacts', { fields: {} })).status).toBe(403);
    await proxy.cut();
    await forgotten(reader);
    expectError(await spent.get('/contacts'), 429, {
      code: 'rate_limited',
      message: `Too many requests: the client may send ${LIMIT} requests a minute`,
    });
    await proxy.restore();
  });

  it('nobody else is, and what was counted is told when it is back [contract 6]', async () => {
    const api = await service.login('acme');
    expect(countOf(await send(api, 100), 200)).toBe(100);
    await proxy.cut();
    const away = await send(api, 100);
    for (const answer of away) expectSomeError(answer, 503);
    // Requests that the database keeps from being served are counted too, where the client is known.
    const [least] = away
      .flatMap(({ headers }) => headers.get('ratelimit-remaining') ?? [])
      .map(Number)
      .sort((a, b) => a - b);
    await proxy.restore();
    const first = await waitFor('the service to serve', async () => {
      const answer = await api.get('/contacts');
      return answer.status === 200 ? answer : undefined;
    });
    expect(Number(first.headers.get('ratelimit-remaining'))).toBeLessThan(least ?? LIMIT - 100);
    const taken = LIMIT - Number(first.headers.get('ratelimit-remaining'));
    expect(countOf(await send(api, LIMIT), 200)).toBe(LIMIT - taken);
    await waitFor('the count to be told', async () => {
      const rows = await sql<{ requests: number }>(service, 'SELECT requests FROM request_counts');
      return rows.some(({ requests }) => requests >= LIMIT);
    });
  });
});
