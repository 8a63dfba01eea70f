import type { ApiClient, ApiResponse } from '../support/api-client.js';
import { expectDuplicateOf, expectError, expectInvalid } from '../support/error-object.js';
import { archiveUser } from '../support/archive-user.js';
import { UNKNOWN_ID } from '../support/record-types.js';
import { mail, people, RoutingAccount } from '../support/routing-account.js';
import { TestService } from '../support/test-service.js';

let service: TestService;
let account: RoutingAccount;
let admin: ApiClient;
let clientId: string;

beforeAll(async () => {
  service = await TestService.start();
});
afterAll(() => service.stop());

beforeEach(async () => {
  account = await RoutingAccount.open(service, {
    users: people(['ada', 'bob', 'eve']),
    teams: [{ name: 'Sales', members: [mail('eve')] }],
  });
  admin = await service.login(account.slug, ['manage', 'routers:read', 'dispatch']);
  const claims = JSON.parse(Buffer.from(admin.token!.split('.')[1]!, 'base64url').toString());
  clientId = claims.client_id;
});

const INBOUND = { name: 'Inbound', object_type: 'contacts', users: [{ email: mail('ada') }], settings: {} };

/** A new router: `done` does something to it, and shows it in a version. */
async function routerOf(values: object = {}) {
  const { body } = await admin.post('/routers', { ...INBOUND, ...values });
  const path = `/routers/${body.id}`;
  return {
    id: body.id as string,
    path,
    patch: (changes: object) => admin.patch(path, changes),
    publish: (sent?: object) => admin.post(`${path}/publish`, sent),
    unpublish: () => admin.post(`${path}/unpublish`),
    rollBack: (version: unknown) => admin.post(`${path}/rollback`, { version }),
    discard: () => admin.delete(`${path}/draft`),
    archive: () => admin.delete(path),
    get: async (version = 'live'): Promise<any> => (await admin.get(`${path}?version=${version}`)).body,
    versions: async (): Promise<any[]> => (await admin.get(`${path}/versions`)).body.data,
  };
}

const pool = ({ users }: { users: { email: string }[] }): string =>
  users.map(({ email }) => email.replace('@acme.test', '')).join(' ');
const pick = (...names: string[]) => ({ users: people(names) });
const audit = async (id: string): Promise<any[]> => (await admin.get(`/audit?object=${id}`)).body.data;

describe('a router of the API', () => {
  it('is a draft at first, as the file would make it, where its Location says [contract 6]', async () => {
    const created = await admin.post('/routers', { ...INBOUND, teams: [{ name: 'Sales' }] });
    expect(created.status).toBe(201);
    expect(created.headers.get('location')).toBe(`/routers/${created.body.id}`);
    expect(created.body).toMatchObject({
      name: 'Inbound',
      object_type: 'contacts',
      is_published: false,
      settings: { distribution_model: 'round robin', overwrite: false },
      users: [{ email: mail('ada') }],
      teams: [{ name: 'Sales', members: [mail('eve')] }],
      archived: false,
    });
    const path = `/routers/${created.body.id}`;
    for (const version of ['', '?version=live', '?version=draft']) {
      expect((await admin.get(path + version)).body).toEqual(created.body);
    }
    expect((await admin.get(`${path}/versions`)).body).toEqual({
      data: [],
      pagination: { limit: 10, offset: 0, count: 0, next: null },
    });
    expect(await account.assign('Inbound')).toBe('router_unpublished');
  });

  it('is published, changed beside what is live, and published again [contract 6]', async () => {
    const router = await routerOf();
    expect((await router.publish({ note: 'First' })).body).toMatchObject({ is_published: true });
    expect(await account.assign('Inbound')).toBe('ada');
    const live = await router.get();
    const patched = await router.patch({ ...pick('bob'), settings: { default_user: mail('eve') } });
    expect(patched.status).toBe(200);
    expect(patched.body).toEqual(await router.get('draft'));
    expect(patched.body).toMatchObject({ is_published: false, settings: { default_user: mail('eve') } });
    expect(pool(patched.body)).toBe('bob');
    expect(await router.get()).toEqual(live);
    expect(await account.assign('Inbound')).toBe('ada');

    const published = await router.publish();
    expect(published.body).toEqual(await router.get());
    expect(pool(published.body)).toBe('bob');
    expect(await account.assign('Inbound')).toBe('bob');
    expect(await router.versions()).toEqual([
      { version: 2, published_at: expect.any(String), published_by: { kind: 'client', id: clientId, name: 'Test' }, note: null },
      { version: 1, published_at: expect.any(String), published_by: { kind: 'client', id: clientId, name: 'Test' }, note: 'First' },
    ]); // prettier-ignore
    const first = (await admin.get(`${router.path}/versions/1`)).body;
    expect(first).toMatchObject({ version: 1, note: 'First', router: { is_published: false } });
    expect(pool(first.router)).toBe('ada');
    expect(await router.get('1')).toEqual(first.router);
    expect((await router.get('2')).is_published).toBe(true);
  });

  it('merges settings into its draft key by key, and null resets them [contract 5, contract 6]', async () => {
    const router = await routerOf({ settings: { overwrite: true } });
    await router.publish();
    await router.patch({ settings: { default_user: mail('bob') } });
    const { body } = await router.patch({ settings: { ignore_working_hours: true } });
    expect(body.settings).toMatchObject({
      overwrite: true,
      default_user: mail('bob'),
      ignore_working_hours: true,
    });
    expect((await router.patch({ settings: null })).body.settings).toBeNull();
    expect((await router.get()).settings).toMatchObject({ overwrite: true, default_user: null });
  });

  it('has its name in the draft until that is published [contract 6]', async () => {
    const router = await routerOf();
    await router.publish();
    await router.patch({ name: 'Outbound' });
    expect([(await router.get()).name, (await router.get('draft')).name]).toEqual(['Inbound', 'Outbound']);
    expect((await router.publish()).body.name).toBe('Outbound');
  });

  it('has no draft where a change takes back what another had changed [contract 6]', async () => {
    const router = await routerOf();
    await router.publish();
    await router.patch(pick('bob'));
    await router.patch(pick('ada'));
    expectError(await admin.get(`${router.path}?version=draft`), 404, { message: 'Version not found' });
    await router.publish();
    expect(await router.versions()).toHaveLength(1);
  });

  it('stays as it is where nothing is to be changed or published [contract 6]', async () => {
    const router = await routerOf();
    const first = (await router.publish()).body;
    for (const answer of [
      await router.patch({}),
      await router.patch({ users: INBOUND.users, name: 'Inbound' }),
      await router.publish({ note: 'Again' }),
      await router.rollBack(1),
    ]) {
      expect(answer.status).toBe(200);
      expect(answer.body).toEqual(first);
    }
    expect(await router.versions()).toHaveLength(1);
    expect((await audit(router.id)).map(({ action }) => action)).toEqual(['publish', 'create']);
  });

  it('is taken out of use, and back, with the version it had [contract 6]', async () => {
    const router = await routerOf();
    await router.publish();
    expect((await router.unpublish()).body).toMatchObject({ is_published: false });
    expect((await router.unpublish()).status).toBe(200);
    expect(await account.assign('Inbound')).toBe('router_unpublished');
    await router.patch(pick('bob'));
    expect(pool(await router.get())).toBe('ada');
    expect(pool((await router.publish()).body)).toBe('bob');
    await router.unpublish();
    expect(pool((await router.publish()).body)).toBe('bob');
    expect((await router.versions()).map(({ version }) => version)).toEqual([3, 2, 1]);
  });

  it('goes back to an earlier version as a new one, whose rules keep their rotations [contract 4, contract 6]', async () => {
    const rules = (...names: string[]) => ({ settings: { rules: names.map((name) => ({ name, id: 'r', ...pick('ada', 'bob') })) } });
    const router = await routerOf({ ...rules('Any'), users: [], teams: undefined });
    await router.publish();
    expect(await account.assign('Inbound')).toBe('ada');
    await router.patch(rules('Other'));
    await router.publish();
    expect(await account.assign('Inbound')).toBe('bob');
    const back = await router.rollBack(1);
    expect(back.body.settings.rules[0].name).toBe('Any');
    expect(await account.assign('Inbound')).toBe('ada');
    expect(await router.versions()).toMatchObject([{ version: 3, note: 'Rolled back to version 1' }, {}, {}]);
  }); // prettier-ignore

  it('names the version that has decided in each entry of the log [contract 6]', async () => {
    const router = await routerOf();
    await account.assign('Inbound');
    await router.publish();
    await account.assign('Inbound');
    await router.patch(pick('bob'));
    await account.assign('Inbound');
    await router.publish();
    await account.assign('Inbound');
    const { data } = (await admin.get('/assignments')).body;
    expect(data.map((entry: any) => entry.router_version)).toEqual([2, 1, 1, null]);
    expect((await admin.get(`/assignments/${data[0].id}`)).body.router_version).toBe(2);
  });

  it('is archived, by whom the answer says, and its name is free [contract 3, contract 6]', async () => {
    const router = await routerOf();
    await router.publish();
    const contact = await account.contact();
    const { status, body } = await router.archive();
    expect(status).toBe(200);
    expect(body).toMatchObject({ archived: expect.any(String), archived_by: clientId });
    expectError(
      await admin.post('/dispatch/router', { router_id: router.id, object_id: contact }),
      404,
      { message: 'Router not found' },
    ); // prettier-ignore
    expect((await admin.get(router.path)).body).toEqual(body);
    expect((await admin.get('/routers')).body.data).toEqual([]);
    const again = await routerOf();
    expect(again.id).not.toBe(router.id);
    for (const refused of [
      await router.patch({}),
      await router.publish(),
      await router.unpublish(),
      await router.rollBack(1),
      await router.discard(),
    ]) {
      expectError(refused, 409, {
        code: 'archived',
        message: 'This router is archived and cannot be changed',
      });
    }
    expectError(await router.archive(), 404, { message: 'Router not found' });
  });
});

describe('a draft that another version has overtaken', () => {
  const overtaken = async () => {
    const router = await routerOf();
    await router.publish();
    await router.patch(pick('bob'));
    await router.publish();
    await router.patch(pick('eve'));
    await router.rollBack(1);
    return router;
  };

  it('is refused, with both versions and the way out [contract 6]', async () => {
    const router = await overtaken();
    const refused = await router.publish();
    expectError(refused, 409, {
      code: 'conflict',
      message:
        'The draft was begun on version 2, and version 3 was published since: ' +
        `discard the draft (DELETE /routers/${router.id}/draft) and make it anew`,
    });
    expect(pool(await router.get())).toBe('ada');
    await router.patch({ name: 'Other' });
    expect((await router.publish()).status).toBe(409);
  });

  it('can be discarded: the next change begins with what is live [contract 6]', async () => {
    const router = await overtaken();
    const discarded = await router.discard();
    expect(discarded.body).toEqual(await router.get());
    expectError(await router.discard(), 404, { message: 'Version not found' });
    await router.patch({ settings: { overwrite: true } });
    expect(pool((await router.publish()).body)).toBe('ada');
    expect((await audit(router.id)).map(({ action }) => action)).toEqual([
      'publish', 'update', 'discard', 'rollback', 'update', 'publish', 'update', 'publish', 'create',
    ]); // prettier-ignore
  });

  it('is all there is of a router that was never published, which keeps it [contract 6]', async () => {
    const router = await routerOf();
    const refused = await router.discard();
    expectError(refused, 409, {
      code: 'conflict',
      message: 'This router was never published: its draft is all it is. Archive the router instead',
    });
  });
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
      ['published', 'Unknown key: published'],
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
    const router = await routerOf();
    expectInvalid(await router.patch({ object_type: 'deals' }), [
      'object_type',
      'the object type of this router is contacts and cannot change',
    ]);
    expect((await router.patch({ object_type: 'contacts' })).status).toBe(200);
  });

  it('is refused a name that another has, live or in its draft [contract 1, contract 6]', async () => {
    const router = await routerOf();
    await router.publish();
    await router.patch({ name: 'Outbound' });
    const taken = (answer: ApiResponse, name: string): void => expectDuplicateOf(answer, { name });
    for (const name of ['Inbound', 'Outbound']) taken(await admin.post('/routers', { ...INBOUND, name }), router.id);
    const other = await routerOf({ name: 'Other' });
    taken(await other.patch({ name: 'Inbound' }), router.id);
    await router.publish();
    const heir = await routerOf();
    taken(await router.rollBack(1), heir.id);
    expect((await router.get()).name).toBe('Outbound');
  }); // prettier-ignore

  it('is not published or rolled back with what is gone meanwhile, and says all of it [contract 6]', async () => {
    const router = await routerOf({ ...pick('ada', 'eve'), settings: { default_user: mail('eve') } });
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
    const router = await routerOf();
    expectInvalid(await ask(router.path), [field, new RegExp(field)]);
    expect(await router.versions()).toEqual([]);
  });

  it('is unknown in versions that it does not have [contract 6]', async () => {
    const router = await routerOf();
    await router.publish();
    const unknown = { message: 'Version not found' };
    expectError(await router.rollBack(2), 404, unknown);
    expectError(await admin.get(`${router.path}?version=draft`), 404, unknown);
    expectError(await admin.get(`${router.path}?version=2`), 404, unknown);
    for (const version of ['2', '0', 'draft', '1e0', '99999999999']) {
      expectError(await admin.get(`${router.path}/versions/${version}`), 404, unknown);
    }
  });

  it('is that of another account: nothing tells it from one that does not exist [5.3, contract 1]', async () => {
    const { id } = await routerOf();
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

describe('the audit of a router', () => {
  it('has every change from and to, in the spelling of the file, with the new version last [contract 6]', async () => {
    const router = await routerOf();
    await router.publish();
    await router.patch({ ...pick('bob'), settings: { overwrite: true } });
    await router.publish();
    await router.unpublish();
    await router.archive();
    const entries = await audit(router.id);
    expect(entries.map(({ action, changes }) => [action, changes])).toEqual([
      ['archive', []],
      ['unpublish', [{ path: 'published', from: true, to: false }]],
      ['publish', [
        { path: 'settings.overwrite', from: false, to: true },
        { path: 'users', from: INBOUND.users, to: people(['bob']) },
        { path: 'version', from: 1, to: 2 },
      ]],
      ['update', [
        { path: 'settings.overwrite', from: false, to: true },
        { path: 'users', from: INBOUND.users, to: people(['bob']) },
      ]],
      ['publish', [
        { path: 'published', from: false, to: true },
        { path: 'version', from: null, to: 1 },
      ]],
      ['create', expect.arrayContaining([{ path: 'name', from: null, to: 'Inbound' }])],
    ]); // prettier-ignore
    for (const { by, object } of entries) {
      expect(by).toEqual({ kind: 'client', id: clientId, name: 'Test' });
      expect(object).toEqual({ kind: 'router', id: router.id, name: 'Inbound' });
    }
  });

  it('has nothing of what was refused [contract 6]', async () => {
    const router = await routerOf();
    await router.patch({ name: 'Other', users: [{ email: mail('gone') }] });
    await router.rollBack(3);
    expect((await audit(router.id)).map(({ action }) => action)).toEqual(['create']);
  });
});
