import { SCOPES } from '../../../src/auth/index.js';
import { ApplyService } from '../../../src/management/index.js';
import type { ApiClient } from '../../support/api-client.js';
import { Person } from '../../support/person.js';
import { OpenApiDocument } from '../../support/openapi-document.js';
import { TestService } from '../../support/test-service.js';

let service: TestService;
let admin: ApiClient;

beforeAll(async () => {
  service = await TestService.shared();
  await service.apply(`
    accounts:
      - slug: acme
        members: [{ email: ada@acme.test, role: viewer }, { email: Bob.Stone@acme.test, role: admin }]
        console_roles: [{ group: sales, role: viewer }, { group: Ops, role: admin }]`);
  admin = await service.login('acme', SCOPES);
});
afterAll(() => service.stop());

const exported = async (): Promise<any> =>
  (await service.app.get(ApplyService, { strict: false }).export(service.slug('acme'))).accounts[0];

describe('members', () => {
  it('are created, changed and archived as other configuration is, and come back [contract 6, contract 12]', async () => {
    const made = await admin.post('/members', { email: ' Eve@ACME.test ', role: 'viewer' });
    const { id } = made.body;
    expect(made.body).toMatchObject({
      email: 'eve@acme.test',
      role: 'viewer',
      last_seen_at: null,
      archived: false,
    });
    const duplicate = await admin.post('/members', { email: 'EVE@acme.test', role: 'admin' });
    expect([duplicate.status, duplicate.body.existing_id]).toEqual([409, id]);
    const etag = { headers: { 'If-Match': made.headers.get('etag')! } };
    expect((await admin.patch(`/members/${id}`, { role: 'manager' }, etag)).body.role).toBe('manager');
    expect((await admin.patch(`/members/${id}`, { role: 'admin' }, etag)).status).toBe(412);
    const tried = await admin.patch(`/members/${id}?dry_run=true`, { role: 'admin' });
    expect(tried.body.changes).toEqual([{ path: 'role', from: 'manager', to: 'admin' }]);
    expect((await admin.delete(`/members/${id}`)).status).toBe(200);
    expect((await admin.patch(`/members/${id}`, { role: 'admin' })).body.code).toBe('archived');
    const back = await admin.post('/members', { email: 'eve@acme.test', role: 'viewer' });
    expect([back.body.id, back.body.role]).toEqual([id, 'viewer']);
    await admin.delete(`/members/${id}`);
  });

  it.each([
    [{ email: 'x@acme.test' }, 'role'],
    [{ email: 'x@acme.test', role: 'owner' }, 'role'],
    [{ email: 'nobody', role: 'admin' }, 'email'],
    [{ email: 'x@acme.test', role: 'admin', subject: 'x' }, 'subject'],
  ])('are refused with what is wrong: %j [contract 1, contract 12]', async (body, field) => {
    const { status, body: error } = await admin.post('/members', body);
    expect([status, error.errors.map((each: { field: string }) => each.field)]).toEqual([400, [field]]);
  });

  it('keep what a PATCH leaves out, and are found by their e-mail [contract 6, contract 12]', async () => {
    const [{ id }] = (await admin.get('/members?q=stone')).body.data;
    const { body } = await admin.patch(`/members/${id}`, { email: 'bob.stone@acme.test' });
    expect([body.email, body.role]).toEqual(['bob.stone@acme.test', 'admin']);
    const taken = await admin.patch(`/members/${id}`, { email: 'ada@acme.test' });
    expect([taken.status, taken.body.field]).toEqual([409, 'email']);
  });

  it('are a section of the file, with the groups of the provider that have roles [contract 5, contract 12]', async () => {
    const { members, console_roles } = await exported();
    expect(members).toEqual([
      { email: 'ada@acme.test', role: 'viewer' },
      { email: 'bob.stone@acme.test', role: 'admin' },
    ]);
    expect(console_roles).toEqual([
      { group: 'Ops', role: 'admin' },
      { group: 'sales', role: 'viewer' },
    ]);
    const { accountId } = await service.account('acme');
    const noted = async (): Promise<any[]> => (await admin.get(`/audit?object=${accountId}`)).body.data;
    const before = (await noted()).length;
    await service.apply('accounts: [{ slug: acme, console_roles: [{ group: sales, role: viewer }, { group: Ops, role: admin }] }]');
    expect(await noted()).toHaveLength(before);
    await service.apply('accounts: [{ slug: acme, console_roles: [] }]');
    expect((await noted())[0].changes[0].path).toMatch(/^console_roles/);
    expect((await exported()).console_roles).toBeUndefined();
    const twice = 'accounts: [{ slug: acme, members: [{ email: a@b.test, role: viewer }, { email: A@b.test, role: admin }] }]';
    await expect(service.apply(twice)).rejects.toThrow('members must not name one twice');
  }); // prettier-ignore
});

describe('a role', () => {
  /** What contract 12 gives each role. */
  const ROLES = {
    viewer: ['records:read', 'routers:read', 'directory:read'],
    manager: ['records:read', 'records:write', 'routers:read', 'directory:read', 'dispatch', 'availability'],
    admin: SCOPES,
  } as const;

  it.each(['viewer', 'manager', 'admin'] as const)(
    'lets a %s use the routes of its scopes, and no other [contract 12]',
    async (role) => {
      const person = await Person.enter(service, 'acme', { email: `${role}@acme.test`, role });
      const scopes: readonly string[] = ROLES[role];
      expect((await person.get('/me')).body.scopes).toEqual(scopes);
      const { operations } = await OpenApiDocument.of(service);
      const wrong: unknown[] = [];
      let guarded = 0;
      for (const { method, path, operation } of operations) {
        const needed = (operation['security'] ?? []).flatMap(({ oauth2 = [] }: any) => oauth2);
        if (needed.length === 0) continue;
        guarded += 1;
        // What is allowed is refused for what it says: an id of nobody, an unknown parameter.
        const of = `${path.replace(/\{\w+\}/g, 'nobody')}?unknown=1`;
        const { status } = await person.request(
          method,
          of,
          method === 'GET' || method === 'DELETE' ? undefined : {},
        );
        const mayUse = needed.some((scope: string) => scopes.includes(scope));
        const isOneKey = method === 'PATCH' && path === '/users/{userId}' && role === 'manager';
        if ((status !== 403) !== mayUse && !isOneKey) wrong.push([method, path, status]);
        if (status >= 500 || status < 400) wrong.push([method, path, status]);
      }
      expect(wrong).toEqual([]);
      expect(guarded).toBeGreaterThan(70);
    },
  );
});
