import type { ApiClient } from '../../support/api-client.js';
import { expectError, expectInvalid } from '../../support/error-object.js';
import { UNKNOWN_ID } from '../../support/record-types.js';
import { mail, people, router, RoutingAccount } from '../../support/routing-account.js';
import { TestService } from '../../support/test-service.js';

let service: TestService;
let account: RoutingAccount;
let admin: ApiClient;
let id: string;

const pick = (...names: string[]) => ({ users: people(names) });
const gold = { name: 'Gold', trigger: { groups: [] }, ...pick('bob') };

beforeAll(async () => {
  service = await TestService.shared();
  account = await RoutingAccount.open(service, {
    users: people(['ada', 'bob', 'eve']),
    teams: [{ name: 'Sales', members: [mail('bob')] }],
    routers: [router('R', {}, pick('ada')), router('Other', {}, pick('ada'))],
  });
  admin = await service.login(account.slug, ['manage', 'dispatch', 'records:read', 'routers:read']);
  id = await account.routerId('R');
});
afterAll(() => service.stop());

const simulate = (edit: unknown, more: object = { fields: {} }) =>
  admin.post('/dispatch/simulate', { router_id: id, ...more, router: edit });

describe('A simulation of an edit', () => {
  it('runs what the draft would be, as if it were published, and stores nothing [contract 6]', async () => {
    const before = (await admin.get(`/routers/${id}`)).body;
    const cases: [edit: object, who: string][] = [
      [{}, 'ada'],
      [pick('eve'), 'eve'],
      [{ teams: [{ name: 'sales' }], users: [] }, 'bob'],
      [{ settings: { rules: [gold] } }, 'bob'],
    ];
    for (const [edit, who] of cases) {
      const { status, body } = await simulate(edit);
      expect([status, body.user]).toEqual([200, mail(who)]);
      expect(body.trace.at(-1).step).toBe('distribution');
    }
    expect((await simulate({ settings: null })).body.reason).toBe('router_has_no_settings');
    expect((await admin.get(`/routers/${id}`)).body).toEqual(before);
    expectError(await admin.get(`/routers/${id}?version=draft`), 404, {
      message: 'This router has no draft',
    });
    expect(await account.assign('R')).toBe('ada');
  });

  it('builds on the draft where there is one, and on what a router is that was never published [contract 6]', async () => {
    const { body: made } = await admin.post('/routers', {
      name: 'New',
      object_type: 'contacts',
      ...pick('eve'),
    });
    const other = { router_id: made.id, fields: {} };
    expect((await simulate({ settings: {} }, other)).body.user).toBe(mail('eve'));
    await admin.patch(`/routers/${id}`, { settings: { rules: [gold] } });
    expect((await simulate({ settings: { overwrite: true } })).body.user).toBe(mail('bob'));
    await admin.delete(`/routers/${id}/draft`);
  });

  it('is refused as the PATCH would be, with the path of each failure [contract 1, contract 6]', async () => {
    const bodies: object[] = [
      { nonsense: 1 },
      { users: [] , teams: [] },
      { users: 5, teams: 'x', settings: [] },
      { users: [{ email: 'nobody@acme.test' }, { email: 'x' }, { percentage: 101 }] },
      { teams: [{ name: 'None' }, { name: '' }], object_type: 'deals' },
      { object_type: 'x', name: '' },
      { settings: { overwrite: 'yes', nonsense: 1, default_user: 'nobody@acme.test' } },
      { settings: { distribution_model: 'percentage' }, ...pick('ada', 'bob') },
      { settings: { trigger: { groups: [{ conditions: [{ field: 'x', operator: 'eq', value: 1 }, { field: 'city', operator: 'y' }] }] } } },
      { settings: { rules: [gold, gold, { name: 'A', trigger: 5, users: [{ email: 'gone@acme.test' }], teams: [{ name: 'Gone' }] }] } },
      { settings: { steps: [{ after_minutes: 5 }, {}] } },
      { users: Array.from({ length: 150 }, (_, n) => ({ email: `gone${n}@acme.test` })) },
      { users: [[]], settings: { constructor: 1 } },
    ];
    for (const edit of bodies) {
      const [patched, simulated] = await Promise.all([admin.patch(`/routers/${id}`, edit), simulate(edit)]);
      expect([patched.status, simulated.status]).toEqual([400, 400]);
      const { errors, errors_omitted, message, code } = patched.body;
      expect(errors.length).toBeGreaterThan(0);
      const placed = errors.map((each: any) => ({ ...each, field: `router.${each.field}` }));
      expect(simulated.body).toMatchObject({ errors: placed, message, code });
      expect(simulated.body.errors_omitted).toBe(errors_omitted);
    }
  }); // prettier-ignore

  it('says at once what is wrong with the request, the edit and the fields [contract 1, contract 6]', async () => {
    const answer = await simulate(
      { users: [{ email: 'x@acme.test' }] },
      { fields: { emial: 'x' }, version: 'draft' },
    );
    expectInvalid(
      answer,
      ['router', 'Send either version or router'],
      ['router.users[0].email', 'x@acme.test is not a user of the account'],
      ['emial', 'Unknown field: emial'],
    );
    for (const edit of [null, 5, [], 'x'])
      expectInvalid(await simulate(edit), ['router', 'router must be an object']);
    expectError(await simulate({}, { router_id: UNKNOWN_ID, fields: {} }), 404, {
      message: 'Router not found',
    });
  });

  it('needs to read records and routers, and says what is missing [contract 2, contract 6]', async () => {
    for (const missing of ['records:read', 'routers:read'] as const) {
      const scopes = (['dispatch', 'records:read', 'routers:read'] as const).filter(
        (each) => each !== missing,
      );
      const api = await service.login(account.slug, scopes);
      const body = { router_id: id, fields: {} };
      expect((await api.post('/dispatch/simulate', body)).status).toBe(200);
      for (const edit of [{}, { nonsense: 1 }, 5]) {
        const { status, body: refused } = await api.post('/dispatch/simulate', { ...body, router: edit });
        expect([status, refused.message]).toEqual([403, expect.stringContaining(missing)]);
      }
    }
  });
});
