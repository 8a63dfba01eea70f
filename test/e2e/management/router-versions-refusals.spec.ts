import type { ApiClient, ApiResponse } from '../../support/api-client.js';
import { expectDuplicateOf, expectError, expectInvalid } from '../../support/error-object.js';
import { archiveUser } from '../../support/archive-user.js';
import { UNKNOWN_ID } from '../../support/record-types.js';
import { INBOUND, ManagedRouter, pick, pool } from '../../support/managed-router.js';
import { mail, people, RoutingAccount } from '../../support/routing-account.js';
import { TestService } from '../../support/test-service.js';

let service: TestService;
let account: RoutingAccount;
let admin: ApiClient;

beforeAll(async () => {
  service = await TestService.shared();
});
afterAll(() => service.stop());

beforeEach(async () => {
  account = await RoutingAccount.open(service, {
    users: people(['ada', 'bob', 'eve']),
    teams: [{ name: 'Sales', members: [mail('eve')] }],
  });
  admin = await service.login(account.slug, ['manage', 'routers:read', 'dispatch']);
});

describe('a router that cannot be so', () => {
  it('is refused with every failing part at once [contract 1, contract 6]', async () => {
    const refused = await admin.post('/routers', {
      name: 'New',
      object_type: 'contacts',
      published: true,
      settings: { overwrite: 'yes' },
      users: [{ email: mail('gone') }],
      teams: [{ name: 'Gone' }],
    });
    expectInvalid(
      refused,
      ['published', 'Unknown key: published (allowed: name, object_type, settings, users, teams)'],
      ['users[0].email', `${mail('gone')} is not a user of the account`],
      ['teams[0].name', 'Gone is not a team of the account'],
      ['settings.overwrite', /overwrite/],
    );
    const settings = { nope: 1, overwrite: 'yes' };
    const second = await admin.post('/routers', { object_type: 'contacts', settings, users: 7 });
    expect(second.body.errors.map(({ field }: any) => field).sort()).toEqual([
      'name', 'settings.nope', 'settings.overwrite', 'users',
    ]); // prettier-ignore
  });

  it.each<[string, object, string[]]>([
    ['no object', [] as object, []],
    ['no name and no type', {}, ['name', 'object_type']],
    ['a null for a name', { ...INBOUND, name: null }, ['name']],
    ['an unknown type', { ...INBOUND, object_type: 'people' }, ['object_type']],
    ['one user twice', { ...INBOUND, ...pick('ada', 'ada') }, ['users[1].email']],
    ['nobody', { ...INBOUND, users: [], teams: [] }, ['users']],
    ['a backup whom nobody knows', { ...INBOUND, settings: { default_user: 'x@acme.test' } }, ['settings.default_user']],
  ])('creates nothing: %s [contract 4, contract 6]', async (_, sent, fields) => {
    const refused = await admin.post('/routers', sent);
    expect(refused.status).toBe(400);
    expect((refused.body.errors as { field?: string }[]).flatMap(({ field }) => field ?? [])).toEqual(fields);
    expect((await admin.get('/routers')).body.data).toEqual([]);
  }); // prettier-ignore

  it('keeps its type [contract 6]', async () => {
    const router = await ManagedRouter.create(admin);
    expectInvalid(await router.patch({ object_type: 'deals' }), [
      'object_type',
      'the object type of this router is contacts and cannot change',
    ]);
    expect((await router.patch({ object_type: 'contacts' })).status).toBe(200);
  });

  it('is refused a name that another has, live or in its draft [contract 1, contract 6]', async () => {
    const router = await ManagedRouter.create(admin);
    await router.publish();
    await router.patch({ name: 'Outbound' });
    const taken = (answer: ApiResponse, name: string): void => expectDuplicateOf(answer, { name });
    for (const name of ['Inbound', 'Outbound']) taken(await admin.post('/routers', { ...INBOUND, name }), router.id);
    const other = await ManagedRouter.create(admin, { name: 'Other' });
    taken(await other.patch({ name: 'Inbound' }), router.id);
    await router.publish();
    const heir = await ManagedRouter.create(admin);
    taken(await router.rollBack(1), heir.id);
    expect((await router.get()).name).toBe('Outbound');
  }); // prettier-ignore

  it('is not published or rolled back with what is gone meanwhile, and says all of it [contract 6]', async () => {
    const router = await ManagedRouter.create(admin, { ...pick('ada', 'eve'), settings: { default_user: mail('eve') } });
    await router.publish();
    await router.patch(pick('bob'));
    await router.patch({ settings: { default_user: null } });
    await router.publish();
    await archiveUser(account, mail('eve'));
    const refused = await router.rollBack(1);
    expect(refused.status).toBe(400);
    expect(refused.body.errors.map(({ field }: any) => field)).toEqual(['users[1].email', 'settings.default_user']);
    expect(await router.versions()).toHaveLength(2);
    await router.patch(pick('ada', 'bob'));
    await archiveUser(account, mail('ada'));
    expect((await router.publish()).body).toMatchObject({ code: 'invalid_request', field: 'users[0].email' });
    expect(pool(await router.get())).toBe('bob');
  }); // prettier-ignore

  it.each<[string, (path: string) => Promise<ApiResponse>, string]>([
    ['version', (path) => admin.post(`${path}/rollback`, { version: '1' }), 'version'],
    ['no version', (path) => admin.post(`${path}/rollback`, {}), 'version'],
    ['part of a version', (path) => admin.post(`${path}/rollback`, { version: 1.5 }), 'version'],
    ['version 0', (path) => admin.post(`${path}/rollback`, { version: 0 }), 'version'],
    ['note', (path) => admin.post(`${path}/publish`, { note: 7 }), 'note'],
    ['key of a publication', (path) => admin.post(`${path}/publish`, { why: 'x' }), 'why'],
    ['key', (path) => admin.post(`${path}/unpublish`, { note: 'x' }), 'note'],
    ['version to read', (path) => admin.get(`${path}?version=last`), 'version'],
    ['huge version to read', (path) => admin.get(`${path}?version=99999999999`), 'version'],
    ['query', (path) => admin.delete(`${path}/draft?version=1`), 'version'],
  ])('refuses an unusable %s, and names it [contract 1, contract 6]', async (_, ask, field) => {
    const router = await ManagedRouter.create(admin);
    expectInvalid(await ask(router.path), [field, new RegExp(field)]);
    expect(await router.versions()).toEqual([]);
  });

  it.each(['[]', '["note"]', 'null', '"x"'])('is not unpublished by a body %s [contract 1, contract 6]', async (raw) => {
    const router = await ManagedRouter.create(admin);
    await router.publish();
    const refused = await admin.post(`${router.path}/unpublish`, undefined, { raw });
    expectInvalid(refused, [undefined, 'The body must be a JSON object']);
    const named = await admin.post(`${router.path}/unpublish`, undefined, { raw: '{"\\ud800": 1}' });
    expectInvalid(named, ['\ufffd', /^Unknown key: \ufffd/]);
    expect((await router.get()).is_published).toBe(true);
  }); // prettier-ignore

  it('is unknown in versions that it does not have [contract 6]', async () => {
    const router = await ManagedRouter.create(admin);
    await router.publish();
    const unknown = { message: 'Version not found' };
    expectError(await router.rollBack(2), 404, unknown);
    expectError(await admin.get(`${router.path}?version=draft`), 404, {
      message: 'This router has no draft',
    });
    expectError(await admin.get(`${router.path}?version=2`), 404, unknown);
    for (const version of ['2', '0', 'draft', '1e0', '99999999999']) {
      expectError(await admin.get(`${router.path}/versions/${version}`), 404, unknown);
    }
  });

  it('is that of another account: nothing tells it from one that does not exist [5.3, contract 1]', async () => {
    const { id } = await ManagedRouter.create(admin);
    await admin.post(`/routers/${id}/publish`);
    const stranger = await service.login(`other-${account.slug}`, ['manage', 'routers:read', 'dispatch']);
    for (const known of [id, UNKNOWN_ID, 'x']) {
      const path = `/routers/${known}`;
      for (const answer of [
        await stranger.get(`${path}?version=1`),
        await stranger.patch(path, { name: 'Mine' }),
        await stranger.delete(path),
        await stranger.delete(`${path}/draft`),
        await stranger.post(`${path}/publish`),
        await stranger.post(`${path}/unpublish`),
        await stranger.post(`${path}/rollback`, { version: 1 }),
        await stranger.get(`${path}/versions`),
        await stranger.get(`${path}/versions/1`),
        await stranger.post('/dispatch/simulate', { router_id: known, fields: {}, version: 1 }),
      ]) {
        expectError(answer, 404, { message: 'Router not found' });
      }
    }
    expect((await admin.get(`/routers/${id}`)).body).toMatchObject({ name: 'Inbound', archived: false });
  });
});
