// Services of its own: what their sessions count is known when they end.
import { Client } from 'pg';
import type { ApiResponse } from '../support/api-client.js';
import { mail, people, router, RoutingAccount, tally } from '../support/routing-account.js';
import { storm } from '../support/storm.js';
import { createTestDatabase, type TestDatabase } from '../support/database/test-database.js';
import { TestService } from '../support/test-service.js';

const TEAM = ['ada', 'bob', 'eve'];
const ROUTERS = ['R', 'S'];
const RECORDS = storm(24, 12);
const CLIENTS = 8;
const ROUNDS = storm(24, 8);

let database: TestDatabase;
let services: TestService[];

beforeEach(async () => {
  database = await createTestDatabase();
  const options = { database, obedient: true };
  services = [await TestService.start(options), await TestService.start(options)];
});
afterEach(async () => {
  await Promise.all(services.map((service) => service.stop()));
  await database.drop();
});

/** Stops the services. @returns the deadlocks that PostgreSQL has found, by the sessions that have ended */
async function deadlocks(): Promise<number> {
  await Promise.all(services.splice(0).map((service) => service.stop()));
  const client = new Client({ connectionString: database.url });
  await client.connect();
  const { rows } = await client.query<{ n: number }>(
    'SELECT deadlocks::int AS n FROM pg_stat_database WHERE datname = current_database()',
  );
  await client.end();
  return rows[0]?.n ?? NaN;
}

const anyOf = <T>(values: readonly T[]): T => values[Math.floor(Math.random() * values.length)]!;

/** Ten records in any order, some of them twice. */
const some = (ids: readonly string[]): string[] => Array.from({ length: 10 }, () => anyOf(ids));

it('Dispatches, batches with keys, updates that return turns, batches of updates and changes of the configuration never deadlock [contract 4, contract 7]', async () => {
  const settings = { overwrite: true, reimburse_within_minutes: 10 };
  const account = await RoutingAccount.open(services[0]!, {
    users: people(TEAM, { limits: { day: 10_000 } }),
    routers: ROUTERS.map((name) => router(name, settings, { users: people(TEAM) })),
  });
  const ids = await account.contacts(RECORDS);
  const seats = services.map((service) => account.through(service));
  for (const seat of seats) await seat.routerId('R');
  const work: ((seat: RoutingAccount, key: string) => Promise<ApiResponse>)[] = [
    (seat) => seat.dispatch(anyOf(ROUTERS), anyOf(ids)),
    (seat) => seat.batch(anyOf(ROUTERS), some(ids)),
    async (seat, key) => {
      const sent = { router_id: await seat.routerId(anyOf(ROUTERS)), object_ids: some(ids) };
      return seat.api.post('/dispatch/batch', sent, { headers: { 'Idempotency-Key': key } });
    },
    (seat) => {
      const fields = { contact_owner: anyOf([null, ...TEAM.map(mail)]) };
      return seat.api.patch(`/contacts/${anyOf(ids)}`, { fields });
    },
    (seat, key) => {
      const inputs = [...new Set(some(ids))].map((id) => ({ id, fields: { city: key } }));
      return seat.api.post('/contacts/batch/update', { inputs });
    },
  ];
  const statuses: number[] = [];
  const client = async (n: number): Promise<void> => {
    for (let round = 0; round < ROUNDS; round++) {
      const answer = await work[(n + round) % work.length]!(seats[n % 2]!, `${n}-${round}`);
      statuses.push(answer.status);
      for (const { status } of answer.body.results ?? []) statuses.push(status);
    }
  };
  const change = async (): Promise<void> => {
    for (let round = 0; round < ROUNDS / 2; round++) {
      await account.apply({ users: [{ email: mail('eve'), available: round % 2 === 0 }], holidays: [] });
    }
  };
  await Promise.all([...Array.from({ length: CLIENTS }, (_, n) => client(n)), change()]);
  expect(Object.keys(tally(statuses.map(String)))).toEqual(['200']);
  for (const name of ROUTERS) {
    const members = [...((await account.rotation(name)).ledgers.get('users')?.values() ?? [])];
    expect(members.reduce((sum, { credit }) => sum + credit, 0n)).toBe(0n);
  }
  expect(await deadlocks()).toBe(0);
});
