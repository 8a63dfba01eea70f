import type { ApiClient } from '../../support/api-client.js';
import { expectError } from '../../support/error-object.js';
import { INBOUND, ManagedRouter, pick, pool } from '../../support/managed-router.js';
import { mail, people, RoutingAccount } from '../../support/routing-account.js';
import { TestService } from '../../support/test-service.js';

let service: TestService;
let account: RoutingAccount;
let admin: ApiClient;
let clientId: string;

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
  const claims = JSON.parse(Buffer.from(admin.token!.split('.')[1]!, 'base64url').toString());
  clientId = claims.client_id;
});

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
    const router = await ManagedRouter.create(admin);
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
    const router = await ManagedRouter.create(admin, { settings: { overwrite: true } });
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
    const router = await ManagedRouter.create(admin);
    await router.publish();
    await router.patch({ name: 'Outbound' });
    expect([(await router.get()).name, (await router.get('draft')).name]).toEqual(['Inbound', 'Outbound']);
    expect((await router.publish()).body.name).toBe('Outbound');
  });

  it('has no draft where a change takes back what another had changed [contract 6]', async () => {
    const router = await ManagedRouter.create(admin);
    await router.publish();
    await router.patch(pick('bob'));
    await router.patch(pick('ada'));
    expectError(await admin.get(`${router.path}?version=draft`), 404, {
      message: 'This router has no draft',
    });
    await router.publish();
    expect(await router.versions()).toHaveLength(1);
  });

  it('stays as it is where nothing is to be changed or published [contract 6]', async () => {
    const router = await ManagedRouter.create(admin);
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
    expect((await router.audit()).map(({ action }) => action)).toEqual(['publish', 'create']);
  });

  it('is taken out of use, and back, with the version it had [contract 6]', async () => {
    const router = await ManagedRouter.create(admin);
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
    const router = await ManagedRouter.create(admin, { ...rules('Any'), users: [], teams: undefined });
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
    const router = await ManagedRouter.create(admin);
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
    const router = await ManagedRouter.create(admin);
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
    const again = await ManagedRouter.create(admin);
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
    const router = await ManagedRouter.create(admin);
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
    expectError(await router.discard(), 404, { message: 'This router has no draft' });
    await router.patch({ settings: { overwrite: true } });
    expect(pool((await router.publish()).body)).toBe('ada');
    expect((await router.audit()).map(({ action }) => action)).toEqual([
      'publish', 'update', 'discard', 'rollback', 'update', 'publish', 'update', 'publish', 'create',
    ]); // prettier-ignore
  });

  it('is all there is of a router that was never published, which keeps it [contract 6]', async () => {
    const router = await ManagedRouter.create(admin);
    const refused = await router.discard();
    expectError(refused, 409, {
      code: 'conflict',
      message: 'This router was never published: its draft is all it is. Archive the router instead',
    });
  });
});

const FROM_ADA_TO_BOB = [
  { path: 'users[ada@acme.test]', from: { email: 'ada@acme.test' }, to: null },
  { path: 'users[bob@acme.test]', from: null, to: { email: 'bob@acme.test' } },
];

const FROM_BOB_TO_ADA = [
  { path: 'users[bob@acme.test]', from: { email: 'bob@acme.test' }, to: null },
  { path: 'users[ada@acme.test]', from: null, to: { email: 'ada@acme.test' } },
];

const ofDraft = (values: readonly { path: string; from: unknown; to: unknown }[]): object[] =>
  values.map((each) => ({ ...each, path: `draft.${each.path}` }));

describe('the audit of a router', () => {
  it('has every change from and to, in the spelling of the file, with the new version last [contract 6]', async () => {
    const router = await ManagedRouter.create(admin);
    await router.publish();
    await router.patch({ ...pick('bob'), settings: { overwrite: true } });
    await router.publish({ note: 'Spring' });
    await router.unpublish();
    await router.rollBack(1);
    await router.archive();
    const entries = await router.audit();
    expect(entries.map(({ action, changes }) => [action, changes])).toEqual([
      ['archive', [{ path: 'archived', from: false, to: true }]],
      ['rollback', [
        { path: 'published', from: false, to: true },
        { path: 'settings.overwrite', from: true, to: false },
        ...FROM_BOB_TO_ADA,
        { path: 'version', from: 2, to: 3 },
        { path: 'note', from: null, to: 'Rolled back to version 1' },
      ]],
      ['unpublish', [{ path: 'published', from: true, to: false }]],
      ['publish', [
        { path: 'settings.overwrite', from: false, to: true },
        ...FROM_ADA_TO_BOB,
        { path: 'version', from: 1, to: 2 },
        { path: 'note', from: null, to: 'Spring' },
      ]],
      ['update', ofDraft([{ path: 'settings.overwrite', from: false, to: true }, ...FROM_ADA_TO_BOB])],
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

  it('tells a draft from what is live, also where it was never published or is discarded [contract 6]', async () => {
    const router = await ManagedRouter.create(admin);
    await router.patch(pick('bob'));
    await router.publish();
    await router.patch(pick('ada'));
    await router.discard();
    const told = (await router.audit()).map(({ action, changes }) => [action, changes]);
    expect(told.slice(0, 2)).toEqual([
      ['discard', ofDraft(FROM_ADA_TO_BOB)],
      ['update', ofDraft(FROM_BOB_TO_ADA)],
    ]);
    expect(told[3]).toEqual(['update', ofDraft(FROM_ADA_TO_BOB)]);
  });

  it('has nothing of what was refused [contract 6]', async () => {
    const router = await ManagedRouter.create(admin);
    await router.patch({ name: 'Other', users: [{ email: mail('gone') }] });
    await router.rollBack(3);
    expect((await router.audit()).map(({ action }) => action)).toEqual(['create']);
  });
});
