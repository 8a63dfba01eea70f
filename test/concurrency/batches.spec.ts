// Services of its own: all records of the database are compared.
import { Client } from 'pg';
import { ApiClient, type ApiResponse } from '../support/api-client.js';
import { people, router, RoutingAccount } from '../support/routing-account.js';
import { sql } from '../support/database/stored-records.js';
import { storm } from '../support/storm.js';
import { createTestDatabase, type TestDatabase } from '../support/database/test-database.js';
import { TestService } from '../support/test-service.js';
import { wrongCounts } from '../support/database/wrong-counts.js';

type Json = Record<string, any>;

const RECORDS = storm(50, 20);
const CLIENTS = 8;
const ROUNDS = storm(20);
const ACTIONS = ['update', 'update', 'upsert', 'upsert', 'archive', 'restore', 'dispatch'] as const;

const env = { RATE_LIMIT_PER_CLIENT: '0', RATE_LIMIT_PER_ACCOUNT: '0' };

let database: TestDatabase;
let services: TestService[];

beforeEach(async () => {
  database = await createTestDatabase();
  // Whoever waits for a lock of the others keeps its place for longer than a slow machine takes.
  const options = { database, env, limits: { lock: 4_000 } };
  services = [await TestService.start(options), await TestService.start(options)];
});
afterEach(async () => {
  await Promise.all(services.map((service) => service.stop()));
  await database.drop();
});

const anyOf = <T>(values: readonly T[]): T => values[Math.floor(Math.random() * values.length)]!;

const shuffled = <T>(values: readonly T[]): T[] =>
  values
    .map((value) => ({ value, at: Math.random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ value }) => value);

const key = (n: number): string => `key-${n}@x.example`;

/** Deadlocks that PostgreSQL has found in the database, as the sessions that have ended say. */
async function deadlocks(): Promise<number> {
  const client = new Client({ connectionString: database.url });
  await client.connect();
  try {
    const { rows } = await client.query(
      'SELECT deadlocks::int AS n FROM pg_stat_database WHERE datname = current_database()',
    );
    return (rows as { n: number }[])[0]?.n ?? NaN;
  } finally {
    await client.end();
  }
}

/** Stops the services: what sessions count is known when they end. */
async function expectNoDeadlock(): Promise<void> {
  await Promise.all(services.splice(0).map((service) => service.stop()));
  expect(await wrongCounts(database.url)).toEqual([]);
  expect(await deadlocks()).toBe(0);
}

it.each([
  ['updates', 8, ['update', 'update', 'dispatch']],
  ['all writes', 4, ACTIONS],
] as const)(
  'Batches of the same records in any order, and dispatches of these, wait for each other: %s [contract 7]',
  async (_, writers, actions) => {
    const account = await RoutingAccount.open(services[0]!, {
      users: people(['ada', 'bob', 'eve']),
      fields: [{ object_type: 'contacts', internal_name: 'notes', type: 'string', long: true }],
      routers: [router('R', { overwrite: true }, { users: people(['ada', 'bob', 'eve']) })],
    });
    const through = services.map((service) => account.through(service));
    const router_id = await account.routerId('R');
    const numbers = Array.from({ length: RECORDS }, (_, n) => n);
    const created = await account.api.post('/contacts/batch/create', {
      inputs: numbers.map((n) => ({ fields: { email: key(n), external_id: `${n}` } })),
    });
    const ids: string[] = created.body.results.map(({ record }: Json) => record.id);
    const written = new Set<string>([...ids]);

    const send = (api: ApiClient, action: (typeof ACTIONS)[number], city: string): Promise<ApiResponse> => {
      const named = anyOf(['id', 'email', 'external_id'] as const);
      const some = shuffled(numbers).slice(0, 10 + Math.floor(Math.random() * (RECORDS - 10)));
      const nameOf = (n: number): string => ({ id: ids[n]!, email: key(n), external_id: `${n}` })[named];
      // What shows a long field is written one by one.
      const by = { ...(named !== 'id' && { id_property: named }), properties: anyOf([[], ['notes']]) };
      const fields = { city };
      switch (action) {
        case 'update':
          return api.post('/contacts/batch/update', {
            inputs: some.map((n) => ({ id: nameOf(n), fields })),
            ...by,
          });
        case 'upsert': {
          const inputs = some.map((n) => ({ id: key(n), fields }));
          return api.post('/contacts/batch/upsert', { inputs, id_property: 'email' });
        }
        case 'archive':
          return api.post('/contacts/batch/archive', { inputs: some.map((n) => ({ id: nameOf(n) })), ...by });
        case 'restore':
          return api.post('/contacts/batch/restore', { inputs: some.map((n) => ({ id: ids[n] })) });
        case 'dispatch':
          return api.post('/dispatch/batch', { router_id, object_ids: some.map((n) => ids[n]) });
      }
    };

    /** What each record was given last by those whose answers are known, or may have been. */
    const cities = new Map<string, Set<string>>();
    const failed: unknown[] = [];
    await Promise.all(
      Array.from({ length: writers }, async (__, client) => {
        const { api } = through[client % through.length]!;
        for (let round = 0; round < ROUNDS; round++) {
          const city = `${client}-${round}`;
          const action = anyOf<(typeof ACTIONS)[number]>(actions);
          const { status, body } = await send(api, action, city);
          const results: Json[] = body.results ?? [];
          if (status !== 200) failed.push({ action, status, body });
          for (const result of results) {
            if (result['status'] >= 500) failed.push({ action, ...result });
            if (result['record'] === undefined) continue;
            const { id } = result['record'];
            written.add(id);
            if (action === 'update' || action === 'upsert')
              cities.set(id, (cities.get(id) ?? new Set()).add(city));
          }
        }
      }),
    );
    expect(failed).toEqual([]);

    const stored = await sql<{ id: string; email: string; city: string | null; active: boolean }>(
      services[0]!,
      `SELECT id, fields ->> 'email' AS email, fields ->> 'city' AS city, archived_at IS NULL AS active FROM records`,
    );
    expect(new Set(stored.map(({ id }) => id))).toEqual(written);
    const active = stored.filter((record) => record.active).map(({ email }) => email);
    expect(new Set(active).size).toBe(active.length);
    for (const { id, city } of stored) if (city !== null) expect(cities.get(id)).toContain(city);
    const listed = await account.api.get('/contacts?limit=1');
    expect(listed.body.pagination.count).toBe(active.length);
    const all = await account.api.get('/contacts?limit=1&archived=true');
    expect(all.body.pagination.count).toBe(stored.length);

    await expectNoDeadlock();
  },
);

it('Batches that create records of the same keys in any order make each once [contract 7]', async () => {
  const [first] = services;
  const api = await first!.login('acme');
  const through = services.map(({ url }) => new ApiClient(url, api.token));
  const failed: unknown[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const emails = Array.from({ length: RECORDS }, (_, n) => key(round * RECORDS + n));
    const answers = await Promise.all(
      Array.from({ length: CLIENTS }, (_, client) => {
        const some = shuffled(emails);
        const to = through[client % through.length]!;
        return client % 4 < 2
          ? to.post('/contacts/batch/create', { inputs: some.map((email) => ({ fields: { email } })) })
          : to.post('/contacts/batch/upsert', {
              inputs: some.map((id) => ({ id, fields: { city: `${round}` } })),
              id_property: 'email',
            });
      }),
    );
    const ids: string[] = [];
    for (const { status, body } of answers) {
      if (status !== 200) failed.push({ status, body });
      const results: Json[] = body.results ?? [];
      failed.push(...results.filter((each) => ![200, 201, 409].includes(each['status'])));
      ids.push(...results.filter((each) => each['status'] === 201).map(({ record }) => record.id));
    }
    expect(failed).toEqual([]);
    expect(ids).toHaveLength(RECORDS);
  }
  await expectNoDeadlock();
});
