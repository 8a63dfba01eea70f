import type { ApiClient } from '../../support/api-client.js';
import { expectError, expectInvalid } from '../../support/error-object.js';
import { TestService } from '../../support/test-service.js';

let service: TestService;
let admin: ApiClient;
let stranger: ApiClient;

beforeAll(async () => {
  service = await TestService.shared();
  admin = await service.login('acme', ['manage', 'routers:read']);
  stranger = await service.login('beta', ['manage']);
});
afterAll(() => service.stop());

const HOURS = [{ days: ['mon', 'fri'], start: '09:00', end: '17:30' }];

describe('a user', () => {
  it('is created with the keys of the configuration file, and read again [contract 6]', async () => {
    const sent = { email: 'Ada@Acme.test', name: 'Ada', working_hours: HOURS, limits: { day: 4 } };
    const created = await admin.post('/users', sent);
    expect(created.status).toBe(201);
    expect(created.body).toEqual({
      id: expect.any(String),
      email: 'ada@acme.test',
      name: 'Ada',
      timezone: 'UTC',
      available: true,
      working_hours: HOURS,
      out_of_office: [],
      holidays: [],
      limits: { day: 4 },
      created_at: expect.any(String),
      updated_at: expect.any(String),
      archived: false,
    });
    expect(Object.keys(created.body.working_hours[0])).toEqual(['days', 'start', 'end']);
    expect(created.headers.get('location')).toBe(`/users/${created.body.id}`);
    expect((await admin.get(`/users/${created.body.id}`)).body).toEqual(created.body);
  });

  it('is changed in what a PATCH mentions only; null resets [contract 6]', async () => {
    const { body: bob } = await admin.post('/users', {
      email: 'bob@acme.test',
      name: 'Bob',
      limits: { day: 1 },
    });
    const changed = await admin.patch(`/users/${bob.id}`, { available: false, limits: null });
    expect(changed.status).toBe(200);
    expect(changed.body).toEqual({
      ...bob,
      available: false,
      limits: null,
      updated_at: changed.body.updated_at,
    });
    expect((await admin.patch(`/users/${bob.id}`, {})).body).toEqual(changed.body);
  });

  it('cannot be created twice: the answer names the one that is there [contract 1, contract 6]', async () => {
    const { body: eve } = await admin.post('/users', { email: 'eve@acme.test' });
    const refused = await admin.post('/users', { email: 'EVE@acme.test' });
    expect(refused.status).toBe(409);
    expect(refused.body).toMatchObject({ code: 'duplicate', field: 'email', existing_id: eve.id });
  });

  it('is refused with everything that is wrong at once [contract 1]', async () => {
    const { status, body } = await admin.post('/users', { email: 'x', timezone: 'Mars', color: 'red' });
    expect(status).toBe(400);
    expect(body.errors.map(({ field }: { field: string }) => field).sort()).toEqual([
      'color',
      'email',
      'timezone',
    ]);
    const patch = await admin.patch('/users/01890000-0000-7000-8000-000000000000', {
      timezone: null,
      limits: 3,
    });
    expect(patch.body.errors.map(({ field }: { field: string }) => field).sort()).toEqual([
      'limits',
      'timezone',
    ]);
  });

  it.each(['hour', 'day', 'week', 'month'])('has a limit an %s that is a count [contract 4, contract 5]', async (span) => {
    const { body: gil } = await admin.post('/users', { email: `gil-${span}@acme.test` });
    const most = { limits: { [span]: 1_000_000_000 } };
    expect((await admin.patch(`/users/${gil.id}`, most)).body).toMatchObject(most);
    for (const limit of [1_000_000_001, 1e300, -1, 1.5, '5']) {
      const refused = await admin.patch(`/users/${gil.id}`, { limits: { [span]: limit } });
      expectInvalid(refused, [`limits.${span}`, new RegExp(`^${span} must `)]);
    }
    expect((await admin.get(`/users/${gil.id}`)).body).toMatchObject(most);
  }); // prettier-ignore

  it('of another account, or none, is missing [contract 1, 5.3]', async () => {
    const { body: fay } = await admin.post('/users', { email: 'fay@acme.test' });
    const missing = await stranger.get(`/users/${fay.id}`);
    expectError(missing, 404, { message: 'User not found' });
    expectError(await stranger.patch(`/users/${fay.id}`, { name: 'X' }), 404, { message: 'User not found' });
    expectError(await admin.get('/users/none'), 404, { message: 'User not found' });
    expect((await stranger.get('/users')).body.data).toEqual([]);
  });

  it('is listed in pages [contract 6]', async () => {
    const other = await service.login('gamma', ['manage']);
    for (const name of ['a', 'b', 'c']) await other.post('/users', { email: `${name}@gamma.test` });
    const first = await other.get('/users?limit=2');
    expect(first.body.pagination).toMatchObject({ limit: 2, offset: 0, count: 3 });
    const second = await other.get(`/users?limit=2&after=${first.body.pagination.next}`);
    expect([...first.body.data, ...second.body.data].map(({ email }) => email)).toEqual([
      'a@gamma.test',
      'b@gamma.test',
      'c@gamma.test',
    ]);
    expect(second.body.pagination.next).toBeNull();
  });
});

describe('32 clients that create the same user', () => {
  it('make one, and all others learn its id [contract 1, contract 6]', async () => {
    const answers = await Promise.all(
      Array.from({ length: 32 }, () => admin.post('/users', { email: 'gil@acme.test' })),
    );
    const created = answers.filter(({ status }) => status === 201);
    expect(created).toHaveLength(1);
    const id = created[0]?.body.id;
    for (const { status, body } of answers.filter((answer) => answer !== created[0])) {
      expect([status, body.existing_id]).toEqual([409, id]);
    }
  });
});
