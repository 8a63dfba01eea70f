// Services of its own: clients send more than they may.
import { setTimeout as delay } from 'node:timers/promises';
import type { ApiClient, ApiResponse } from '../support/api-client.js';
import { HeldRecords } from '../support/database/held-records.js';
import { people, router, RoutingAccount } from '../support/routing-account.js';
import { storedRecords } from '../support/database/stored-records.js';
import { storm } from '../support/storm.js';
import { TestService } from '../support/test-service.js';
import { TwoServices } from '../support/processes/two-services.js';

const PARALLEL = storm(64, 16);
/** Turns of each user. */
const EACH = storm(7, 3);

let services: TwoServices;

beforeAll(async () => {
  services = await TwoServices.start();
});
afterAll(() => services.stop());

/** Sends one request many times at once, in turn to both processes, and again where it was still running. */
async function together(
  api: ApiClient,
  send: (api: ApiClient) => Promise<ApiResponse>,
): Promise<ApiResponse[]> {
  const apis = services.through(api);
  const untilAnswered = async (n: number): Promise<ApiResponse> => {
    const answer = await send(apis[n % 2]!);
    if (answer.status !== 409 || answer.body.code !== 'idempotency_in_progress') return answer;
    expect(answer.headers.get('retry-after')).toBe('1');
    await delay(20);
    return untilAnswered(n);
  };
  return Promise.all(Array.from({ length: PARALLEL }, (_, n) => untilAnswered(n)));
}

it('Creates with one Idempotency-Key at once make one record, and are all answered with it [contract 7]', async () => {
  const api = await services.first.login('acme');
  for (let round = 0; round < storm(5, 2); round++) {
    const options = { headers: { 'Idempotency-Key': `create-${round}` } };
    const answers = await together(api, (one) =>
      one.post('/contacts', { fields: { first_name: 'A' } }, options),
    );
    const [{ status, body }] = answers as [ApiResponse];
    expect(status).toBe(201);
    for (const answer of answers)
      expect({ status: answer.status, body: answer.body }).toEqual({ status, body });
    const isNew = answers.filter(({ headers }) => headers.get('idempotency-replayed') === null);
    expect(isNew).toHaveLength(1);
    expect(await storedRecords(services.first)).toHaveLength(round + 1);
  }
});

it('Dispatches with one Idempotency-Key at once take one turn, beside others without a key [contract 7]', async () => {
  const team = ['ada', 'bob', 'cleo'];
  const account = await RoutingAccount.open(services.first, {
    users: people(team),
    routers: [router('R', { overwrite: true }, { users: people(team) })],
  });
  const router_id = await account.routerId('R');
  const object_id = await account.create('contacts', { email: 'one@x.example' });
  const others = await Promise.all(
    Array.from({ length: EACH * team.length - 1 }, (_, n) =>
      account.create('contacts', { email: `other-${n}@x.example` }),
    ),
  );
  const options = { headers: { 'Idempotency-Key': 'dispatch' } };
  const [answers] = await Promise.all([
    together(account.api, (one) => one.post('/dispatch/router', { router_id, object_id }, options)),
    ...others.map((id) => account.dispatch('R', id)),
  ]);
  const [{ body }] = answers as [ApiResponse];
  expect(body.success).toBe(true);
  for (const answer of answers) expect(answer).toMatchObject({ status: 200, body });
  const { data } = (await account.api.get('/assignments?limit=100')).body;
  expect(data).toHaveLength(EACH * team.length);
  const shares = team.map(
    (name) => data.filter(({ user }: any) => JSON.stringify(user).includes(name)).length,
  );
  expect(shares).toEqual([EACH, EACH, EACH]);
});

it('A client does not wait for another one that has the same Idempotency-Key [contract 1, contract 7]', async () => {
  // With so many connections, two keyed requests of an account run at once, also where others are active.
  const roomy = await TestService.start({ database: services.first.database, poolSize: 20 });
  const held = new HeldRecords(() => roomy);
  try {
    const [one, other] = [await roomy.login('acme'), await roomy.login('acme')];
    const { body } = await one.post('/contacts', { fields: { first_name: 'A' } });
    const options = { headers: { 'Idempotency-Key': 'same' } };
    const holder = await held.hold(body.id);
    const waiting = one.patch(`/contacts/${body.id}`, { fields: { first_name: 'B' } }, options);
    await held.waiting(1);
    const { status, headers } = await other.post('/contacts', { fields: { first_name: 'C' } }, options);
    expect([status, headers.get('idempotency-replayed')]).toEqual([201, null]);
    await holder.query('COMMIT');
    expect((await waiting).status).toBe(200);
  } finally {
    await held.release();
    await roomy.stop();
  }
});
