import { ApplyService } from '../../../src/management/index.js';
import type { ApiClient } from '../../support/api-client.js';
import { mail, people, router, RoutingAccount } from '../../support/routing-account.js';
import { TestService } from '../../support/test-service.js';

let service: TestService;
let account: RoutingAccount;
let admin: ApiClient;
let path: string;

const pick = (...names: string[]) => ({ users: people(names) });

beforeAll(async () => {
  service = await TestService.shared();
});
afterAll(() => service.stop());

beforeEach(async () => {
  account = await RoutingAccount.open(service, {
    users: people(['ada', 'bob', 'eve']),
    routers: [router('R', {}, pick('ada'))],
  });
  admin = await service.login(account.slug, ['manage', 'routers:read']);
  path = `/routers/${await account.routerId('R')}`;
});

const apply = (values: object, name = 'R'): Promise<void> =>
  account.apply({ routers: [{ name, ...values }] });

const exported = async (): Promise<any> =>
  (await service.app.get(ApplyService, { strict: false }).export(account.slug)).accounts[0];

/** Users and the published flag of a version; undefined where there is none. */
const seen = async (version: string): Promise<string | undefined> => {
  const { status, body } = await admin.get(`${path}?version=${version}`);
  if (status === 404) return undefined;
  const users = body.users.map(({ email }: { email: string }) => email.replace('@acme.test', ''));
  return [body.name, ...users, body.is_published ? 'live' : 'not live'].join(' ');
};

const numbers = async (): Promise<number[]> =>
  (await admin.get(`${path}/versions`)).body.data.map(({ version }: { version: number }) => version);

/** Applies what an export prints, which must change nothing, nor what it prints then. */
async function expectSettled(): Promise<void> {
  const printed = await exported();
  const { body: before } = await admin.get('/audit');
  await service.apply(JSON.stringify({ accounts: [printed] }));
  expect((await admin.get('/audit')).body).toEqual(before);
  expect(await exported()).toEqual(printed);
}

describe('A file', () => {
  it('publishes what it changes of a published router, by one change of the audit [contract 6]', async () => {
    await apply({ ...pick('bob'), settings: { overwrite: true } });
    expect(await seen('live')).toBe('R bob live');
    expect(await numbers()).toEqual([2, 1]);
    const { data } = (await admin.get(`/audit?object=${path.split('/')[2]}`)).body;
    expect(data[0]).toMatchObject({
      action: 'update',
      by: { kind: 'command', id: null, name: 'apply' },
      changes: [
        { path: 'settings.overwrite', from: false, to: true },
        { path: 'users[ada@acme.test]', from: { email: 'ada@acme.test' }, to: null },
        { path: 'users[bob@acme.test]', from: null, to: { email: 'bob@acme.test' } },
        { path: 'version', from: 1, to: 2 },
      ],
    });
    expect((await admin.get(`${path}/versions/2`)).body.published_by).toEqual({
      kind: 'command',
      id: null,
      name: 'apply',
    });
    await apply({ ...pick('bob'), settings: { overwrite: true } });
    expect(await numbers()).toEqual([2, 1]);
    await expectSettled();
  });

  it('builds on what is live, and leaves the draft, which is then stale [contract 6]', async () => {
    await admin.patch(path, { ...pick('eve'), settings: { default_user: mail('eve') } });
    await apply({ settings: { overwrite: true } });
    const { body } = await admin.get(path);
    expect(body.settings).toMatchObject({ overwrite: true, default_user: null });
    expect([await seen('live'), await seen('draft')]).toEqual(['R ada live', 'R eve not live']);
    expect((await admin.post(`${path}/publish`)).status).toBe(409);
    await expectSettled();
  });

  it('changes the draft of a router that is not published, and prints it [contract 5, contract 6]', async () => {
    await apply({ published: false });
    await apply(pick('bob'));
    expect([await seen('live'), await seen('draft')]).toEqual(['R ada not live', 'R bob not live']);
    await admin.patch(path, { name: 'S' });
    expect((await exported()).routers).toMatchObject([{ name: 'S', published: false, ...pick('bob') }]);
    await expectSettled();
    await apply({ published: true }, 'S');
    expect([await seen('live'), await seen('draft')]).toEqual(['S bob live', undefined]);
    expect(await numbers()).toEqual([2, 1]);
    await expectSettled();
  });

  it('unpublishes a router with its draft: it is the same however often it is applied [contract 5, contract 6]', async () => {
    await admin.patch(path, pick('eve'));
    await apply({ published: false, settings: { overwrite: true } });
    expect([await seen('live'), await seen('draft')]).toEqual(['R ada not live', 'R eve not live']);
    const printed = await exported();
    const { data } = (await admin.get(`/audit?object=${path.replace('/routers/', '')}&limit=1`)).body;
    expect(data[0].changes).toEqual([
      { path: 'published', from: true, to: false },
      { path: 'draft.settings.overwrite', from: false, to: true },
    ]);
    await apply({ published: false, settings: { overwrite: true } });
    expect(await exported()).toEqual(printed);
    await expectSettled();
  });

  it('does not publish a draft that another version has overtaken [contract 6]', async () => {
    await apply(pick('bob'));
    await admin.patch(path, pick('eve'));
    await admin.post(`${path}/rollback`, { version: 1 });
    await admin.post(`${path}/unpublish`);
    await expectSettled();
    await expect(apply({ published: true })).rejects.toThrow(
      'accounts[0].routers[0].published: The draft was begun on version 2, and version 3 was published since',
    );
    await admin.delete(`${path}/draft`);
    await apply({ published: true });
    expect(await seen('live')).toBe('R ada live');
  });

  it('creates no router with a name that another has in its other version [contract 1, contract 6]', async () => {
    await admin.patch(path, { name: 'S' });
    await expect(apply({ object_type: 'contacts' }, 'S')).rejects.toThrow(
      'accounts[0].routers[0].name: the router R has this name in another version of it',
    );
    await admin.post(`${path}/unpublish`);
    await expect(apply({ object_type: 'contacts' }, 'R')).rejects.toThrow(
      'accounts[0].routers[0].name: the router S has this name in another version of it',
    );
  });

  it('publishes a router of the API that was never published [contract 6]', async () => {
    const { body } = await admin.post('/routers', { name: 'New', object_type: 'deals', ...pick('ada') });
    path = `/routers/${body.id}`;
    await expectSettled();
    await apply({ published: true, settings: {} }, 'New');
    expect([await seen('live'), await seen('1')]).toEqual(['New ada live', 'New ada live']);
    await expectSettled();
  });
});
