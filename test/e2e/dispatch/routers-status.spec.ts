import type { ApiClient, ApiResponse } from '../../support/api-client.js';
import { expectInvalid } from '../../support/error-object.js';
import { condition } from '../../support/database/trigger-table.js';
import { mail, people, router, RoutingAccount } from '../../support/routing-account.js';
import { TestService } from '../../support/test-service.js';

let service: TestService;
let account: RoutingAccount;
let admin: ApiClient;

beforeAll(async () => {
  service = await TestService.shared();
  account = await RoutingAccount.open(service, {
    users: [...people(['ada', 'bob', 'eve']), { email: mail('off'), available: false }],
    teams: [{ name: 'Empty', members: [] }],
    routers: [
      router('R', {}, { users: people(['ada', 'bob', 'eve']) }),
      router('S', { trigger: condition('city', 'eq', 'Oslo') }, { teams: [{ name: 'Empty' }] }),
      router('T', { rules: [{ name: 'Gold', trigger: { groups: [] }, users: people(['off']), steps: [{ teams: [{ name: 'Empty' }] }] }] }, { users: people(['ada']) }),
    ],
  });
  admin = await service.login(account.slug, ['manage', 'routers:read']);
}); // prettier-ignore
afterAll(() => service.stop());

const statuses = async (query = ''): Promise<Record<string, any>> => {
  const { status, body } = await account.api.get(`/routers?expand=status${query}`);
  expect(status).toBe(200);
  return Object.fromEntries(body.data.map((each: any) => [each.name, each.status]));
};

const QUIET = { assigned: 0, refused: 0, assigned_7d: 0, refused_7d: 0, deviation: null, draft: null };

describe('The status of routers', () => {
  it('says what they do, what waits to be published, and what is wrong [contract 6]', async () => {
    expect((await account.api.get('/routers')).body.data[0].status).toBeUndefined();
    expect(await statuses()).toEqual({
      R: { ...QUIET, warnings: [] },
      S: { ...QUIET, warnings: ['Nobody is in the pool of the router'] },
      T: {
        ...QUIET,
        warnings: [
          'Everybody is switched off in the pool of the rule Gold',
          'Nobody is in step 1 of the rule Gold',
        ],
      },
    });
    await account.turns('R', 1);
    await account.assign('S');
    const { R, S } = await statuses();
    expect(R).toMatchObject({ assigned: 1, refused: 0, assigned_7d: 1, refused_7d: 0, deviation: 0.666667 });
    expect(S).toMatchObject({ assigned: 0, refused: 1, assigned_7d: 0, refused_7d: 1, deviation: null });
    await account.turns('R', 2);
    expect((await statuses())['R']).toMatchObject({ assigned: 3, deviation: 0 });
  });

  it('has since when a draft waits, of a router that was never published too [contract 6]', async () => {
    const path = `/routers/${await account.routerId('R')}`;
    await admin.patch(path, { settings: { overwrite: true } });
    const { body: made } = await admin.post('/routers', { name: 'New', object_type: 'deals' });
    const { R, New } = await statuses();
    expect(Date.parse(R.draft.since)).toBeGreaterThan(Date.now() - 60_000);
    expect(New).toEqual({ ...QUIET, draft: { since: made.updated_at }, warnings: [] });
    await admin.delete(`${path}/draft`);
    expect((await statuses())['R'].draft).toBeNull();
  });

  it('is that of one router too, whichever version is read, and its ETag names the same version [contract 6]', async () => {
    const path = `/routers/${await account.routerId('S')}`;
    const plain = await account.api.get(path);
    const expanded = await account.api.get(`${path}?expand=status&version=1`);
    expect(expanded.body).toMatchObject({ status: (await statuses('&q=S'))['S'] });
    const version = ({ headers }: ApiResponse) => headers.get('etag')?.split('-')[0];
    expect(version(expanded)).toBe(version(plain));
  });

  it('has warnings of a draft only where its publication is tried [contract 6]', async () => {
    const path = `/routers/${await account.routerId('R')}`;
    const users = [{ email: mail('off') }];
    await admin.patch(path, { users });
    const { body: tried, status } = await admin.post(`${path}/publish?dry_run=true`, {});
    expect(status).toBe(200);
    expect(tried.warnings).toEqual(['Everybody is switched off in the pool of the router']);
    expect((await statuses())['R'].warnings).toEqual([]);
    await admin.patch(path, { users: people(['ada']) });
    const again = await admin.post(`${path}/publish?dry_run=true`, {});
    expect(again.body.warnings).toEqual([]);
    const { body: published } = await admin.post(`${path}/publish`, {});
    expect(published).not.toHaveProperty('warnings');
    expect((await admin.post(`${path}/publish?dry_run=true`, {})).body).toMatchObject({
      changes: [],
      warnings: [],
    });
  });

  it('is all that can be expanded [contract 1, contract 6]', async () => {
    for (const bad of ['', 'now', 'status,x'])
      expectInvalid(await account.api.get(`/routers?expand=${bad}`), ['expand', 'expand must be status']);
  });
});
