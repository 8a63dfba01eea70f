// A service of its own: commands print the slugs of accounts.
import type { ApiClient } from '../support/api-client.js';
import { expectError } from '../support/error-object.js';
import { Programs } from '../support/processes/program.js';
import { TestService } from '../support/test-service.js';
import { waitFor } from '../support/wait-for.js';

/** Milliseconds within which running servers use a changed configuration. */
const FELT_WITHIN = 5_000;

const programs = new Programs();
let service: TestService;
let api: ApiClient;

beforeAll(async () => {
  service = await TestService.start();
  api = await service.login('acme');
  await apply(`accounts:
  - slug: acme
    users: [{ email: ada@acme.test }, { email: grace@acme.test }]
    routers:
      - { name: Inbound, object_type: contacts, published: true, settings: { overwrite: true }, users: [{ email: ada@acme.test }] }`);
});
afterEach(() => programs.end());
afterAll(() => service.stop());

/** Applies a file from another process. */
async function apply(input: string): Promise<void> {
  const { code, stderr } = await programs.cli(
    ['apply', '-'],
    { DATABASE_URL: service.database.url },
    { input },
  );
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
}

const inboundId = async (): Promise<string> => (await api.get('/routers')).body.data[0].id;

describe('a running server', () => {
  it('accepts a new field at once after it was refused [2.4, contract 5]', async () => {
    const contact = { fields: { first_name: 'Ada', shoe_size: 38 } };
    expect((await api.post('/contacts', contact)).status).toBe(400);
    expect((await api.get('/contacts?properties=shoe_size')).status).toBe(400);
    await apply(
      'accounts: [{ slug: acme, fields: [{ object_type: contacts, internal_name: shoe_size, type: number }] }]',
    );
    const { status, body } = await api.post('/contacts?properties=shoe_size', contact);
    expect({ status, shoe_size: body.shoe_size }).toEqual({ status: 201, shoe_size: '38' });
    expect((await api.get('/contacts?properties=shoe_size')).status).toBe(200);
  });

  it('accepts a new option at once, and lists it [2.6, contract 3, contract 5]', async () => {
    const ticket = { ticket_name: 'Help', pipeline: 'default', ticket_stage: 'escalated' };
    const refused = await api.post('/tickets', { fields: ticket });
    expect(refused.status).toBe(400);
    expect(refused.body.message).not.toContain('escalated,');
    await apply(`accounts:
  - slug: acme
    fields:
      - { object_type: tickets, internal_name: ticket_stage, options: [{ internal_name: escalated, label: Up }] }`);
    const { status, body } = await api.post('/tickets?properties=ticket_stage', {
      fields: { ...ticket, ticket_stage: 'up' },
    });
    expect({ status, stage: body.ticket_stage }).toEqual({ status: 201, stage: 'escalated' });
    const again = await api.post('/tickets', { fields: { ...ticket, ticket_stage: 'nope' } });
    expect(again.body.message).toContain('escalated');
  });

  it('accepts a new user as an owner at once [2.6, contract 5]', async () => {
    const contact = { fields: { first_name: 'Ada', contact_owner: 'new@acme.test' } };
    expect((await api.post('/contacts', contact)).status).toBe(400);
    await apply('accounts: [{ slug: acme, users: [{ email: New@acme.test }] }]');
    const { status, body } = await api.post('/contacts', contact);
    expect({ status, owner: body.contact_owner }).toEqual({ status: 201, owner: 'new@acme.test' });
  });

  it('dispatches by a changed router within 5 s [4.6, contract 4, contract 5]', async () => {
    const { body: contact } = await api.post('/contacts', { fields: { first_name: 'Ada' } });
    const dispatch = { router_id: await inboundId(), object_id: contact.id };
    expect((await api.post('/dispatch/router', dispatch)).body.user).toBe('ada@acme.test');

    await apply(
      'accounts: [{ slug: acme, routers: [{ name: Inbound, users: [{ email: grace@acme.test }] }] }]',
    );
    const assigned = await waitFor(
      'the new pool',
      async () => {
        const { body } = await api.post('/dispatch/router', dispatch);
        return body.user === 'grace@acme.test' ? body : undefined;
      },
      FELT_WITHIN,
    );
    expect(assigned.success).toBe(true);
    const { body: router } = await api.get(`/routers/${dispatch.router_id}`);
    expect(router.users.map(({ email }: { email: string }) => email)).toEqual(['grace@acme.test']);

    await apply('accounts: [{ slug: acme, routers: [{ name: Inbound, published: false }] }]');
    const refused = await waitFor(
      'the router to be unpublished',
      async () => {
        const { body } = await api.post('/dispatch/router', dispatch);
        return body.success === false ? body : undefined;
      },
      FELT_WITHIN,
    );
    expect(refused.message).toBe('The router is unpublished');
  });

  it('dispatches to a new router at once [4.5, 4.6, contract 5]', async () => {
    await apply(`accounts:
  - slug: acme
    routers:
      - { name: Second, object_type: contacts, published: true, settings: {}, users: [{ email: ada@acme.test }] }`);
    const { body: list } = await api.get('/routers');
    const second = list.data.find(({ name }: { name: string }) => name === 'Second');
    const { body: contact } = await api.post('/contacts', { fields: { first_name: 'Ada' } });
    const { status, body } = await api.post('/dispatch/router', {
      router_id: second.id,
      object_id: contact.id,
    });
    expect({ status, user: body.user }).toEqual({ status: 200, user: 'ada@acme.test' });
  });

  it('refuses a suspended account within 5 s, and serves it again [5.3, contract 2, contract 5]', async () => {
    await apply('accounts: [{ slug: acme, suspended: true }]');
    const refused = await waitFor(
      'the account to be suspended',
      async () => {
        const response = await api.get('/contacts');
        return response.status === 200 ? undefined : response;
      },
      FELT_WITHIN,
    );
    expectError(refused, 401, { message: 'Unauthorized: invalid or expired token' });
    await apply('accounts: [{ slug: acme, suspended: false }]');
    await waitFor(
      'the account to be served',
      async () => (await api.get('/contacts')).status === 200,
      FELT_WITHIN,
    );
  });
});
