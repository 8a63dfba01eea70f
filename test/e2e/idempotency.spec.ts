// A service of its own: old answers of all accounts are pruned.
import type { ApiClient, ApiResponse } from '../support/api-client.js';
import { people, router, RoutingAccount } from '../support/routing-account.js';
import { sql, storedRecords } from '../support/database/stored-records.js';
import { TestService } from '../support/test-service.js';
import { IdempotentRequests } from '../../src/idempotency/idempotent-requests.js';
import { SCOPES } from '../../src/auth/index.js';

let service: TestService;
let api: ApiClient;
let next = 0;

beforeAll(async () => {
  service = await TestService.start();
  api = await service.login('acme');
});
afterAll(() => service.stop());

const DEAL = '{"fields": {"deal_name": "D", "pipeline": "default", "deal_stage": "new", "amount": AMOUNT}}';

interface Options {
  readonly headers: Record<string, string>;
}

const keyed = (key: string): Options => ({ headers: { 'Idempotency-Key': key } });
const newKey = (): string => `key-${next++}`;
const replayed = ({ headers }: ApiResponse): string | null => headers.get('idempotency-replayed');

/** Sends a request twice with one key, and expects one answer. */
async function twice(send: (options: Options) => Promise<ApiResponse>): Promise<ApiResponse> {
  const options = keyed(newKey());
  const first = await send(options);
  const second = await send(options);
  expect({ status: second.status, body: second.body }).toEqual({ status: first.status, body: first.body });
  expect([replayed(first), replayed(second)]).toEqual([null, 'true']);
  for (const name of ['etag', 'location']) expect(second.headers.get(name)).toBe(first.headers.get(name));
  return first;
}

describe('A request with an Idempotency-Key', () => {
  it('has its effect once, and is answered as before: every write of records [contract 7]', async () => {
    const fields = { email: `once-${next++}@x.example`, external_id: `once-${next++}` };
    const created = await twice((options) => api.post('/contacts?properties=city', { fields }, options));
    expect(created.status).toBe(201);
    expect(created.headers.get('location')).toBe(`/contacts/${created.body.id}`);
    const path = `/contacts/${created.body.id}`;
    const changed = await twice((options) => api.patch(path, { fields: { city: 'Oslo' } }, options));
    expect(changed.status).toBe(200);
    expect((await api.get(path)).headers.get('etag')).toBe(changed.headers.get('etag'));
    const named = `/contacts/${fields.external_id}?id_property=external_id`;
    expect((await twice((options) => api.put(named, { fields: { city: 'Rome' } }, options))).status).toBe(
      200,
    );
    const isNew = `/contacts/new-${next++}?id_property=external_id`;
    expect((await twice((options) => api.put(isNew, { fields: { first_name: 'A' } }, options))).status).toBe(
      201,
    );
    const archived = await twice((options) => api.delete(path, options));
    expect(archived.body).toMatchObject({ id: created.body.id, archived: expect.any(String) });
    expect((await twice((options) => api.post(`${path}/restore`, undefined, options))).status).toBe(200);
    expect((await twice((options) => api.delete(named, options))).status).toBe(200);
  });

  it('has its effect once: dispatches, one by one and together [contract 6, contract 7]', async () => {
    const account = await RoutingAccount.open(service, {
      users: people(['ada', 'bob']),
      routers: [router('R', { overwrite: true }, { users: people(['ada', 'bob']) })],
    });
    const client = account.api;
    const ids = await Promise.all(
      [1, 2, 3].map(() => account.create('contacts', { email: `d-${next++}@x.example` })),
    );
    const router_id = await account.routerId('R');
    const one = await twice((options) =>
      client.post('/dispatch/router', { router_id, object_id: ids[0] }, options),
    );
    expect(one).toMatchObject({ status: 200, body: { success: true } });
    const all = await twice((options) =>
      client.post('/dispatch/batch', { router_id, object_ids: ids }, options),
    );
    expect(all.body.results.map(({ status }: { status: number }) => status)).toEqual([200, 200, 200]);
    expect((await client.get('/assignments')).body.pagination.count).toBe(4);
    const owners = [one.body, ...all.body.results].map(({ user }: any) => user.email);
    expect(new Set([owners[0], owners[2]]).size).toBe(1);
    expect(new Set([owners[1], owners[3]]).size).toBe(1);
    const refused = await twice((options) =>
      client.post('/dispatch/router', { router_id, object_id: router_id }, options),
    );
    expect(refused).toMatchObject({ status: 404, body: { code: 'not_found' } });
  });

  it('is the same request whatever the order of its keys [contract 7]', async () => {
    const options = keyed(newKey());
    const send = (body: object): Promise<ApiResponse> => api.post('/contacts/batch/create', body, options);
    const first = await send({ inputs: [{ fields: { first_name: 'A', city: 'B' } }], atomic: true });
    const second = await send({ atomic: true, inputs: [{ fields: { city: 'B', first_name: 'A' } }] });
    expect([second.status, second.body, replayed(second)]).toEqual([200, first.body, 'true']);
    const other = await send({ atomic: true, inputs: [{ fields: { city: 'A', first_name: 'B' } }] });
    expect(other).toMatchObject({ status: 422, body: { code: 'idempotency_key_reused' } });
  });

  it('is refused again as before, and leaves nothing behind [contract 7]', async () => {
    const email = `taken-${next++}@x.example`;
    await api.post('/contacts', { fields: { email } });
    const before = (await storedRecords(service)).length;
    expect((await twice((options) => api.post('/contacts', { fields: { email } }, options))).status).toBe(
      409,
    );
    expect((await twice((options) => api.patch(`/contacts/x`, { fields: {} }, options))).status).toBe(404);
    expect(await storedRecords(service)).toHaveLength(before);
  });

  it.each<[string, (options: Options) => Promise<ApiResponse>]>([
    ['a DELETE with an unknown parameter', (options) => api.delete('/contacts/x?q=1', options)],
    ['a restore with an unknown key', (options) => api.post('/contacts/x/restore', { q: 1 }, options)],
    ['a dispatch of nothing', (options) => api.post('/dispatch/router', { router_id: 'x' }, options)],
    [
      'a dispatch of no objects',
      (options) => api.post('/dispatch/batch', { router_id: 'x', object_ids: [] }, options),
    ],
    ['a batch without inputs', (options) => api.post('/contacts/batch/create', {}, options)],
    ['a contact of an unknown field', (options) => api.post('/contacts', { fields: { nope: 1 } }, options)],
    ['a body of another form', (options) => api.post('/contacts', new URLSearchParams('a=1'), options)],
  ])(
    'leaves its key to the corrected request where it is refused itself: %s [contract 7]',
    async (_, send) => {
      const options = keyed(newKey());
      for (let time = 0; time < 2; time++) {
        const answer = await send(options);
        expect([400, 415]).toContain(answer.status);
        expect(replayed(answer)).toBeNull();
      }
      const corrected = await api.post('/contacts', { fields: { first_name: 'Other' } }, options);
      expect([corrected.status, replayed(corrected)]).toEqual([201, null]);
      const again = await api.post('/contacts', { fields: { first_name: 'Other' } }, options);
      expect([again.status, again.body, replayed(again)]).toEqual([201, corrected.body, 'true']);
    },
  );

  it('may not have other preconditions [contract 7]', async () => {
    const { body, headers } = await api.post('/contacts', { fields: { first_name: 'Ada' } });
    const options = keyed(newKey());
    const send = (etag: string): Promise<ApiResponse> =>
      api.patch(
        `/contacts/${body.id}`,
        { fields: { city: 'Oslo' } },
        { headers: { ...options.headers, 'If-Match': etag } },
      );
    expect((await send('"1-00000000"')).status).toBe(412);
    expect(await send(headers.get('etag')!)).toMatchObject({
      status: 422,
      body: { code: 'idempotency_key_reused' },
    });
    const again = await send('"1-00000000"');
    expect([again.status, replayed(again)]).toEqual([412, 'true']);
  });

  it('may not be another request with the key [contract 7]', async () => {
    const options = keyed(newKey());
    const body = { fields: { email: `first-${next++}@x.example` } };
    const { body: record } = await api.post('/contacts', body, options);
    for (const other of [
      () => api.post('/contacts', { fields: { email: `other-${next++}@x.example` } }, options),
      () => api.post('/contacts?properties=city', body, options),
      () => api.post('/deals', body, options),
      () => api.delete(`/contacts/${record.id}`, options),
    ]) {
      const answer = await other();
      expect(answer).toMatchObject({ status: 422, body: { code: 'idempotency_key_reused' } });
    }
    expect((await api.get(`/contacts/${record.id}`)).body.archived).toBe(false);
  });

  it('may not be the same request with another number, however long both are [contract 7]', async () => {
    const options = keyed(newKey());
    const send = (amount: string): Promise<ApiResponse> =>
      api.request('POST', '/deals?properties=amount', undefined, {
        ...options,
        raw: DEAL.replace('AMOUNT', amount),
      });
    const { status, body } = await send('12345678901234567890');
    expect({ status, amount: body.amount }).toEqual({ status: 201, amount: '12345678901234567890' });
    for (const other of ['99999999999999999999', '"12345678901234567890"', '"\\u000012345678901234567890"']) {
      expect(await send(other)).toMatchObject({ status: 422, body: { code: 'idempotency_key_reused' } });
    }
    expect((await send('12345678901234567890')).body).toEqual(body);
  });

  it('has a key of its client alone [contract 1, contract 7]', async () => {
    const options = keyed(newKey());
    const body = { fields: { first_name: 'A' } };
    const { clientId, clientSecret } = await service.createClient('acme', SCOPES);
    const token = await service.anonymous.post('/oauth2/token', {
      grant_type: 'client_credentials',
      client_id: clientId,
      client_secret: clientSecret,
    });
    const bearer = { Authorization: `Bearer ${token.body.access_token}` };
    const colleague = { headers: { ...options.headers, ...bearer } };
    const stranger = await service.login('stranger');
    const answers = [
      await api.post('/contacts', body, options),
      await service.anonymous.post('/contacts', body, colleague),
      await stranger.post('/contacts', body, options),
    ];
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
    expect(answers.map(replayed)).toEqual([null, null, null]);
    expect(new Set(answers.map((answer) => answer.body.id)).size).toBe(3);
  });

  it.each(['', ' ', 'a b', 'é', 'x'.repeat(256)])(
    'must have a key of visible characters, not %j [contract 7]',
    async (key) => {
      const answer = await api.post('/contacts', { fields: { first_name: 'A' } }, keyed(key));
      expect(answer).toMatchObject({ status: 400, body: { field: 'Idempotency-Key' } });
    },
  );

  it('is not kept where its client may not do it, and for a day only [contract 7]', async () => {
    const options = keyed('~'.repeat(255));
    const reader = await service.login('acme', ['records:read']);
    const body = { fields: { first_name: 'A' } };
    expect((await reader.post('/contacts', body, options)).status).toBe(403);
    const first = await api.post('/contacts', body, options);
    expect(first.status).toBe(201);
    await sql(
      service,
      `UPDATE idempotency_keys SET created_at = now() - interval '24 hours' WHERE key ~ '^~'`,
    );
    const again = await api.post('/contacts', body, options);
    expect(again.status).toBe(201);
    expect(again.body.id).not.toBe(first.body.id);
    expect(replayed(await api.post('/contacts', body, options))).toBe('true');
    await sql(
      service,
      `UPDATE idempotency_keys SET created_at = now() - interval '24 hours' WHERE key ~ '^~'`,
    );
    expect(await service.app.get(IdempotentRequests, { strict: false }).sweep()).toBe(1);
    expect(await sql(service, `SELECT key FROM idempotency_keys WHERE key ~ '^~'`)).toEqual([]);
  });
});
