import { ApiClientsService } from '../../../src/management/index.js';
import { ApiClient } from '../../support/api-client.js';
import { expectBadField, expectError, expectInvalid } from '../../support/error-object.js';
import { sql } from '../../support/database/stored-records.js';
import { TestService } from '../../support/test-service.js';
import { waitFor } from '../../support/wait-for.js';

/** Milliseconds within which a revocation must take effect (contract section 2). */
const FELT_WITHIN = 5_000;
const SECRET = /^[\w-]{43}$/;

let service: TestService;
let admin: ApiClient;
let stranger: ApiClient;

beforeAll(async () => {
  service = await TestService.shared();
  admin = await service.login('acme', ['manage']);
  stranger = await service.login('beta', ['manage']);
});
afterAll(() => service.stop());

const ask = ({ client_id, client_secret }: any, secret = client_secret) =>
  service.anonymous.post('/oauth2/token', { client_id, client_secret: secret });

describe('a client', () => {
  it('is created with its secret, which is never shown again [contract 2, contract 6]', async () => {
    const created = await admin.post('/clients', { name: 'Sync', scope: 'records:write  records:read' });
    expect(created.status).toBe(201);
    const { client_id, client_secret, ...view } = created.body;
    expect([client_id, client_secret]).toEqual([view.id, expect.stringMatching(SECRET)]);
    expect(view).toEqual({
      id: expect.any(String),
      name: 'Sync',
      scope: 'records:read records:write',
      created_at: expect.any(String),
      updated_at: expect.any(String),
      archived: false,
    });
    expect(created.headers.get('location')).toBe(`/clients/${view.id}`);
    expect((await admin.get(`/clients/${view.id}`)).body).toEqual(view);
    expect((await admin.get('/clients')).body.data).toContainEqual(view);
    expect((await ask(created.body)).body.scope).toBe('records:read records:write');
  });

  it('that is only tried has no secret, which would never work [contract 2, contract 6]', async () => {
    const { status, body } = await admin.post('/clients?dry_run=true', { name: 'Tried' });
    expect([status, body.client_id, 'client_secret' in body]).toEqual([201, body.id, false]);
  });

  it('has all scopes but availability and manage unless told otherwise [contract 2]', async () => {
    const { body } = await admin.post('/clients', { name: 'Default' });
    expect(body.scope).toBe('records:read records:write routers:read directory:read dispatch');
    const { body: strong } = await admin.post('/clients', { name: 'Strong', scope: 'manage availability' });
    expect(strong.scope).toBe('availability manage');
  });

  it('is refused to commands and hosts by the same rules [contract 5, contract 6]', async () => {
    const clients = service.app.get(ApiClientsService, { strict: false });
    const account = await service.account('acme');
    const message = 'name must be a text of 1 to 200 characters';
    for (const name of ['', ' ', 'x'.repeat(201), '\ud800', 'a\u0000']) {
      await expect(clients.create(account, name)).rejects.toMatchObject({ status: 400, message });
    }
    const none = clients.create(account, 'None', []);
    await expect(none).rejects.toMatchObject({ status: 400, details: { field: 'scope' } });
    const { clientId } = await clients.create(account, 'x'.repeat(200));
    for (const overlap of [-1, 0.5, 86_401, NaN]) {
      const refused = clients.rotate(clientId, overlap);
      await expect(refused).rejects.toMatchObject({ status: 400, details: { field: 'overlap_seconds' } });
    }
  });

  it('is refused with everything that is wrong at once [contract 1]', async () => {
    const { status, body } = await admin.post('/clients', { name: ' ', scope: 'nope', secret: 'mine' });
    expect([status, body.errors.map(({ field }: any) => field).sort()]).toEqual([
      400,
      ['name', 'scope', 'secret'],
    ]);
    expectBadField(await admin.post('/clients', { name: 'X', scope: '' }), 'scope');
  });

  it('is changed, and its tokens lose the scopes that it loses [contract 2, contract 6]', async () => {
    const { body: client } = await admin.post('/clients', { name: 'Sync' });
    const api = new ApiClient(service.url, (await ask(client)).body.access_token);
    expect((await api.get('/contacts')).status).toBe(200);
    const changed = await admin.patch(`/clients/${client.id}`, { name: 'Router', scope: 'dispatch' });
    expect(changed.body).toMatchObject({ id: client.id, name: 'Router', scope: 'dispatch' });
    expect(changed.body.client_secret).toBeUndefined();
    await waitFor(
      'the scope to go',
      async () => (await api.get('/contacts')).status === 403 || undefined,
      FELT_WITHIN,
    );
  });

  it('is revoked: its tokens stop within 5 s, and it cannot be changed any more [contract 2, contract 6]', async () => {
    const { body: client } = await admin.post('/clients', { name: 'Sync' });
    const api = new ApiClient(service.url, (await ask(client)).body.access_token);
    expect((await api.get('/contacts')).status).toBe(200);
    const gone = await admin.delete(`/clients/${client.id}`);
    expect([gone.status, gone.body.archived]).toEqual([200, expect.any(String)]);
    expect((await ask(client)).status).toBe(401);
    await waitFor(
      'the token to stop',
      async () => (await api.get('/contacts')).status === 401 || undefined,
      FELT_WITHIN,
    );
    expect((await admin.delete(`/clients/${client.id}`)).status).toBe(404);
    for (const answer of [
      await admin.patch(`/clients/${client.id}`, { name: 'X' }),
      await admin.post(`/clients/${client.id}/rotate`, {}),
    ])
      expect([answer.status, answer.body.code]).toEqual([409, 'archived']);
    const listed = async (query: string) =>
      (await admin.get(`/clients?limit=100${query}`)).body.data.map(({ id }: any) => id);
    expect(await listed('')).not.toContain(client.id);
    expect(await listed('&archived=true')).toContain(client.id);
  });

  it('of another account, or none, is missing [contract 1, 5.3]', async () => {
    const { body: client } = await admin.post('/clients', { name: 'Mine' });
    for (const answer of [
      await stranger.get(`/clients/${client.id}`),
      await stranger.patch(`/clients/${client.id}`, { name: 'X' }),
      await stranger.delete(`/clients/${client.id}`),
      await stranger.post(`/clients/${client.id}/rotate`, {}),
      await admin.get('/clients/none'),
    ])
      expectError(answer, 404, { message: 'Client not found' });
    expect((await ask(client)).status).toBe(200);
  });
});

describe('a change of clients', () => {
  it('leaves the version of the configuration as it is: nothing that is cached depends on it', async () => {
    const version = () =>
      sql(service, `SELECT config_version FROM accounts WHERE slug = $1`, [service.slug('acme')]);
    const before = await version();
    const { body: client } = await admin.post('/clients', { name: 'Sync' });
    await admin.patch(`/clients/${client.id}`, { name: 'Other' });
    await admin.delete(`/clients/${client.id}`);
    expect(await version()).toEqual(before);
    await admin.post('/teams', { name: 'Sales' });
    expect(await version()).not.toEqual(before);
  });
});

describe('a secret', () => {
  it('is replaced at once, and the one before works on for the overlap [contract 6]', async () => {
    const { body: client } = await admin.post('/clients', { name: 'Sync' });
    const overlapping = await admin.post(`/clients/${client.id}/rotate`, { overlap_seconds: 86_400 });
    expect([overlapping.status, overlapping.body]).toEqual([
      200,
      { client_id: client.id, client_secret: expect.stringMatching(SECRET) },
    ]);
    expect([(await ask(client)).status, (await ask(overlapping.body)).status]).toEqual([200, 200]);
    const { body: last } = await admin.post(`/clients/${client.id}/rotate`);
    const statuses = [];
    for (const secret of [client, overlapping.body, last]) statuses.push((await ask(secret)).status);
    expect(statuses).toEqual([401, 401, 200]);
  });

  it('that is replaced works until the overlap ends, and not for longer [contract 6]', async () => {
    const { body: client } = await admin.post('/clients', { name: 'Sync' });
    const { body: last } = await admin.post(`/clients/${client.id}/rotate`, { overlap_seconds: 60 });
    const end = (at: string): Promise<unknown> =>
      sql(service, `UPDATE api_clients SET previous_secret_until = ${at} WHERE id = $1`, [client.id]);
    const [{ left }] = await sql<any>(
      service,
      'SELECT extract(epoch FROM previous_secret_until - updated_at)::int AS left FROM api_clients WHERE id = $1',
      [client.id],
    );
    expect(left).toBe(60);
    await end("now() + interval '1 hour'");
    expect([(await ask(client)).status, (await ask(last)).status]).toEqual([200, 200]);
    await end('now()');
    expect([(await ask(client)).status, (await ask(last)).status]).toEqual([401, 200]);
  });

  it('is replaced without overlap by a request without a body [contract 6]', async () => {
    const { body: client } = await admin.post('/clients', { name: 'Sync' });
    const replaced = await admin.post(`/clients/${client.id}/rotate`);
    expect(replaced.status).toBe(200);
    expect([(await ask(client)).status, (await ask(replaced.body)).status]).toEqual([401, 200]);
  });

  it.each(['[]', 'null', '"60"'])('is not replaced by a body %s [contract 1]', async (raw) => {
    const { body: client } = await admin.post('/clients', { name: 'Sync' });
    const refused = await admin.post(`/clients/${client.id}/rotate`, undefined, { raw });
    expectInvalid(refused, [undefined, 'The body must be a JSON object']);
    expect((await ask(client)).status).toBe(200);
  });

  it.each([86_401, -1, 1.5, '60', null])(
    'is not replaced with an overlap of %j [contract 1]',
    async (overlap_seconds) => {
      const { body: client } = await admin.post('/clients', { name: 'Sync' });
      const refused = await admin.post(`/clients/${client.id}/rotate`, { overlap_seconds });
      expectBadField(refused, 'overlap_seconds');
      expect((await ask(client)).status).toBe(200);
    },
  );

  it('is in no audit entry and in no line of the log; everything else that was done is [contract 6]', async () => {
    const clients = service.app.get(ApiClientsService, { strict: false });
    const made = await clients.create(await service.account('acme'), 'By command');
    const rotated = await clients.rotate(made.clientId);
    await clients.revoke(made.clientId);
    const { body: sent } = await admin.post('/clients', { name: 'By request' });
    const { body: again } = await admin.post(`/clients/${sent.id}/rotate`, { overlap_seconds: 5 });
    await admin.patch(`/clients/${sent.id}`, { name: 'Renamed' });
    const { body: audit } = await admin.get('/audit?object=client&limit=100');
    const of = (id: string) =>
      audit.data
        .filter(({ object }: any) => object.id === id)
        .map(({ action, by, changes }: any) => [
          action,
          by.kind,
          by.name,
          changes.map(({ path }: any) => path),
        ]);
    expect(of(made.clientId)).toEqual([
      ['archive', 'command', 'client revoke', ['archived']],
      ['rotate', 'command', 'client rotate', ['overlap_seconds']],
      ['create', 'command', 'client create', ['name', 'scope']],
    ]);
    expect(of(sent.id)).toEqual([
      ['update', 'client', 'Test', ['name']],
      ['rotate', 'client', 'Test', ['overlap_seconds']],
      ['create', 'client', 'Test', ['name', 'scope']],
    ]);
    const rotation = audit.data.find(({ action }: any) => action === 'rotate');
    expect(rotation.changes).toEqual([{ path: 'overlap_seconds', from: null, to: 5 }]);
    const told = JSON.stringify(audit) + JSON.stringify(service.logs);
    const secrets = [made.clientSecret, rotated.clientSecret, sent.client_secret, again.client_secret];
    for (const secret of secrets) expect(told).not.toContain(secret);
  });
});
