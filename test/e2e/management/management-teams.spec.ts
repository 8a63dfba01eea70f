import { ApplyService } from '../../../src/management/index.js';
import type { ApiClient } from '../../support/api-client.js';
import { expectError } from '../../support/error-object.js';
import { TestService } from '../../support/test-service.js';

let service: TestService;
let admin: ApiClient;
let stranger: ApiClient;

beforeAll(async () => {
  service = await TestService.shared();
  await service.apply(`
    accounts:
      - slug: acme
        users: [{ email: ada@acme.test }, { email: bob@acme.test }]
        teams: [{ name: Sales, members: [ada@acme.test] }, { name: Nord }]
        capacities:
          - { name: Open, object_type: contacts, field: lifecycle_stage, values: [lead], teams: [{ name: Sales, max: 3 }] }
        routers:
          - name: Inbound
            object_type: contacts
            published: true
            settings:
              rules:
                - { name: VIP, teams: [{ name: Sales }] }
                - { name: Rest, teams: [{ name: Nord }] }
            teams: [{ name: Sales }]`);
  admin = await service.login('acme', ['manage', 'routers:read', 'records:write', 'dispatch']);
  stranger = await service.login('beta', ['manage']);
});
afterAll(() => service.stop());

const idOf = async (name: string): Promise<string> => {
  const { body } = await admin.get('/teams?limit=100');
  return body.data.find((team: any) => team.name === name).id;
};

describe('a team', () => {
  it('is created, read, listed and changed [contract 6]', async () => {
    const created = await admin.post('/teams', { name: 'Ost', members: ['BOB@acme.test', 'ada@acme.test'] });
    expect(created.status).toBe(201);
    expect(created.body).toEqual({
      id: expect.any(String),
      name: 'Ost',
      members: ['bob@acme.test', 'ada@acme.test'],
      created_at: expect.any(String),
      updated_at: expect.any(String),
      archived: false,
    });
    expect(created.headers.get('location')).toBe(`/teams/${created.body.id}`);
    expect((await admin.get(`/teams/${created.body.id}`)).body).toEqual(created.body);
    const { body: list } = await admin.get('/teams');
    expect(list.data).toContainEqual(created.body);
    expect(list.pagination).toMatchObject({ count: list.data.length, next: null });
    const changed = await admin.patch(`/teams/${created.body.id}`, { members: [] });
    expect(changed.body).toEqual({ ...created.body, members: [], updated_at: changed.body.updated_at });
    expect((await admin.patch(`/teams/${created.body.id}`, {})).body).toEqual(changed.body);
  });

  it('is refused with everything that is wrong at once [contract 1]', async () => {
    const { status, body } = await admin.post('/teams', { name: '', color: 1, members: [3] });
    expect([status, body.errors.map(({ field }: any) => field).sort()]).toEqual([
      400,
      ['color', 'members', 'name'],
    ]);
    const unknown = await admin.post('/teams', {
      name: 'West',
      members: ['gone@acme.test', 'ada@acme.test', 'lost@acme.test'],
    });
    expect([unknown.status, unknown.body.errors]).toEqual([
      400,
      [
        { field: 'members[0]', message: 'gone@acme.test is not a user of the account' },
        { field: 'members[2]', message: 'lost@acme.test is not a user of the account' },
      ],
    ]);
    expect((await admin.get('/teams')).body.data.map(({ name }: any) => name)).not.toContain('West');
  });

  it('has a name that no other active team has [contract 1, contract 6]', async () => {
    const existing_id = await idOf('Nord');
    const twice = await admin.post('/teams', { name: 'Nord' });
    expect(twice.status).toBe(409);
    expect(twice.body).toMatchObject({ code: 'duplicate', field: 'name', existing_id });
    const { body: team } = await admin.post('/teams', { name: 'Sued' });
    const taken = await admin.patch(`/teams/${team.id}`, { name: 'Nord' });
    expect([taken.status, taken.body.existing_id]).toEqual([409, existing_id]);
  });

  it('of another account, or none, is missing [contract 1, 5.3]', async () => {
    const id = await idOf('Sales');
    for (const answer of [
      await stranger.get(`/teams/${id}`),
      await stranger.patch(`/teams/${id}`, { name: 'X' }),
      await stranger.delete(`/teams/${id}`),
      await admin.get('/teams/none'),
    ])
      expectError(answer, 404, { message: 'Team not found' });
    expect((await stranger.get('/teams')).body.data).toEqual([]);
  });
});

describe('a team that is renamed', () => {
  it('has its new name in pools and rules, and gets what it got [contract 6]', async () => {
    const id = await idOf('Sales');
    expect((await admin.patch(`/teams/${id}`, { name: 'Vertrieb' })).body).toMatchObject({
      id,
      name: 'Vertrieb',
    });
    const [router] = (await admin.get('/routers')).body.data;
    expect(router.teams).toMatchObject([{ name: 'Vertrieb' }]);
    expect(router.settings.rules.map(({ teams }: any) => teams)).toEqual([
      [{ name: 'Vertrieb' }],
      [{ name: 'Nord' }],
    ]);
    const { body: versions } = await admin.get(`/routers/${router.id}/versions`);
    expect(versions.data).toMatchObject([{ version: 1 }]);
    const { body: first } = await admin.get(`/routers/${router.id}/versions/1`);
    expect(first.router.settings).toEqual(router.settings);
    const { body: record } = await admin.post('/contacts', { fields: { first_name: 'Max' } });
    const { body: run } = await admin.post('/dispatch/router', {
      router_id: router.id,
      object_id: record.id,
    });
    expect(run).toMatchObject({ success: true, user: 'ada@acme.test' });
    const { body: audit } = await admin.get(`/audit?object=${id}`);
    expect(audit.data[0]).toMatchObject({
      action: 'update',
      by: { kind: 'client' },
      changes: [{ path: 'name', from: 'Sales', to: 'Vertrieb' }],
    });
    await admin.patch(`/teams/${id}`, { name: 'Sales' });
  });
});

describe('a team that is removed', () => {
  it('stays while anything names it, and the answer says what [contract 6]', async () => {
    const { status, body } = await admin.delete(`/teams/${await idOf('Sales')}`);
    expect([status, body.code]).toEqual([409, 'conflict']);
    expect(body.message).toBe(
      'The team Sales is in use: the router Inbound, the router Inbound (rule VIP), the capacity Open',
    );
    expect(body.errors).toHaveLength(3);
  });

  it('is archived, and can come back under its id, by API or file [contract 6]', async () => {
    const { body: team } = await admin.post('/teams', { name: 'Pop-up', members: ['ada@acme.test'] });
    const gone = await admin.delete(`/teams/${team.id}`);
    expect([gone.status, gone.body.archived]).toEqual([200, expect.any(String)]);
    expect((await admin.get(`/teams/${team.id}`)).body).toEqual(gone.body);
    expect((await admin.delete(`/teams/${team.id}`)).status).toBe(404);
    const patched = await admin.patch(`/teams/${team.id}`, { name: 'X' });
    expect([patched.status, patched.body.code]).toEqual([409, 'archived']);
    const names = async (query: string) =>
      (await admin.get(`/teams?limit=100${query}`)).body.data.map(({ name }: any) => name);
    expect(await names('')).not.toContain('Pop-up');
    expect(await names('&archived=true')).toContain('Pop-up');
    const { accounts } = await service.app.get(ApplyService, { strict: false }).export(service.slug('acme'));
    expect(JSON.stringify(accounts)).not.toContain('Pop-up');

    const again = await admin.post('/teams', { name: 'Pop-up' });
    expect([again.status, again.body]).toEqual([201, { ...team, updated_at: again.body.updated_at }]);
    await admin.delete(`/teams/${team.id}`);
    await service.apply('accounts: [{ slug: acme, teams: [{ name: Pop-up, members: [] }] }]');
    expect((await admin.get(`/teams/${team.id}`)).body).toMatchObject({ archived: false, members: [] });
    const { body: audit } = await admin.get(`/audit?object=${team.id}`);
    expect(audit.data.map(({ action, by }: any) => [action, by.name])).toEqual([
      ['update', 'apply'],
      ['archive', 'Test'],
      ['update', 'Test'],
      ['archive', 'Test'],
      ['create', 'Test'],
    ]);
  });

  it('leaves its name to others [contract 6]', async () => {
    const { body: first } = await admin.post('/teams', { name: 'Alpha' });
    await admin.delete(`/teams/${first.id}`);
    const { body: second } = await admin.post('/teams', { name: 'Beta' });
    expect((await admin.patch(`/teams/${second.id}`, { name: 'Alpha' })).status).toBe(200);
    expect((await admin.post('/teams', { name: 'Alpha' })).body.existing_id).toBe(second.id);
  });
});
