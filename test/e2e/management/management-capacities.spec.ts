import type { ApiClient } from '../../support/api-client.js';
import { expectError } from '../../support/error-object.js';
import { TestService } from '../../support/test-service.js';

let service: TestService;
let admin: ApiClient;
let stranger: ApiClient;
let routerId: string;

beforeAll(async () => {
  service = await TestService.shared();
  await service.apply(`
    accounts:
      - slug: acme
        users: [{ email: ada@acme.test }]
        teams: [{ name: Sales, members: [ada@acme.test] }]
        routers: [{ name: Inbound, object_type: contacts, published: true, settings: {}, users: [{ email: ada@acme.test }] }]`);
  admin = await service.login('acme', ['manage', 'routers:read', 'records:write', 'dispatch']);
  stranger = await service.login('beta', ['manage']);
  routerId = (await admin.get('/routers')).body.data[0].id;
});
afterAll(() => service.stop());

const LEADS = {
  name: 'Leads',
  object_type: 'contacts',
  field: 'lifecycle_stage',
  values: ['lead'],
  users: [{ email: 'ada@acme.test', max: 1 }],
  teams: [{ name: 'Sales', max: 2 }],
};

/** Dispatches a new lead. @returns whether somebody got it */
async function assigns(): Promise<boolean> {
  const { body: record } = await admin.post('/contacts', {
    fields: { first_name: 'Max', lifecycle_stage: 'lead' },
  });
  return (await admin.post('/dispatch/router', { router_id: routerId, object_id: record.id })).body.success;
}

describe('a capacity', () => {
  it('binds from its creation to its removal [contract 4, contract 6]', async () => {
    const created = await admin.post('/capacities', LEADS);
    expect(created.status).toBe(201);
    expect(created.body).toEqual({
      ...LEADS,
      id: expect.any(String),
      created_at: expect.any(String),
      updated_at: expect.any(String),
      archived: false,
    });
    const path = `/capacities/${created.body.id}`;
    expect(created.headers.get('location')).toBe(path);
    expect((await admin.get(path)).body).toEqual(created.body);
    expect((await admin.get('/capacities')).body.data).toEqual([created.body]);
    expect([await assigns(), await assigns()]).toEqual([true, false]);

    const changed = await admin.patch(path, {
      name: 'Open leads',
      users: [{ email: 'ada@acme.test', max: 2 }],
    });
    expect(changed.body).toMatchObject({ name: 'Open leads', users: [{ max: 2 }], teams: LEADS.teams });
    expect([await assigns(), await assigns()]).toEqual([true, false]);

    const gone = await admin.delete(path);
    expect([gone.status, gone.body.archived]).toEqual([200, expect.any(String)]);
    expect(await assigns()).toBe(true);
    expect((await admin.delete(path)).status).toBe(404);
    expect((await admin.patch(path, { name: 'X' })).body.code).toBe('archived');
    expect((await admin.get('/capacities')).body.data).toEqual([]);
    expect((await admin.get('/capacities?archived=true')).body.data).toEqual([gone.body]);
  });

  it('is refused with everything that is wrong at once [contract 1, contract 5]', async () => {
    const { status, body } = await admin.post('/capacities', { name: 'X', object_type: 'leads', values: [] });
    expect([status, body.errors.map(({ field }: any) => field).sort()]).toEqual([
      400,
      ['field', 'object_type', 'values'],
    ]);
    const unknown = await admin.post('/capacities', {
      ...LEADS,
      values: ['nope'],
      users: [{ email: 'gone@acme.test', max: 1 }],
      teams: [{ name: 'Gone', max: 1 }],
    });
    expect([unknown.status, unknown.body.errors.map(({ field }: any) => field).sort()]).toEqual([
      400,
      ['teams[0].name', 'users[0].email', 'values[0]'],
    ]);
  });

  it.each([1_000_000_001, 1e300, -1, 1.5])('is refused with a maximum of %d [contract 1]', async (max) => {
    const sent = { ...LEADS, users: [{ email: 'ada@acme.test', max }], teams: [{ name: 'Sales', max }] };
    const { status, body } = await admin.post('/capacities', sent);
    expect([status, body.errors.map(({ field }: any) => field)]).toEqual([400, ['users[0].max', 'teams[0].max']]);
    for (const { message } of body.errors) expect(message).toMatch(/^max must /);
  }); // prettier-ignore

  it('has a name that no other active capacity has [contract 1, contract 6]', async () => {
    const { body: first } = await admin.post('/capacities', { ...LEADS, name: 'A' });
    const { body: second } = await admin.post('/capacities', { ...LEADS, name: 'B' });
    const twice = await admin.post('/capacities', { ...LEADS, name: 'A' });
    expect([twice.status, twice.body.field, twice.body.existing_id]).toEqual([409, 'name', first.id]);
    expect((await admin.patch(`/capacities/${second.id}`, { name: 'A' })).body.existing_id).toBe(first.id);
    await admin.delete(`/capacities/${first.id}`);
    expect((await admin.patch(`/capacities/${second.id}`, { name: 'A' })).status).toBe(200);
    for (const answer of [
      await stranger.get(`/capacities/${second.id}`),
      await stranger.delete(`/capacities/${second.id}`),
      await admin.get('/capacities/none'),
    ])
      expectError(answer, 404, { message: 'Capacity not found' });
  });
});
