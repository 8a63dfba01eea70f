import type { ApiClient, ApiResponse } from '../../support/api-client.js';
import { archiveUser } from '../../support/archive-user.js';
import { expectInvalid } from '../../support/error-object.js';
import { HeldLocks } from '../../support/database/held-locks.js';
import { ManagedRouter } from '../../support/managed-router.js';
import { renameUser } from '../../support/renaming.js';
import { mail, people, RoutingAccount } from '../../support/routing-account.js';
import { sql } from '../../support/database/stored-records.js';
import { TestService } from '../../support/test-service.js';

let service: TestService;
let account: RoutingAccount;
let admin: ApiClient;
const locks = new HeldLocks(() => service);

beforeAll(async () => {
  service = await TestService.shared();
});
afterEach(() => locks.release());
afterAll(() => service.stop());

beforeEach(async () => {
  account = await RoutingAccount.open(service, {
    users: people(['ada', 'bob']),
    teams: [
      { name: 'Nord', members: [mail('ada')] },
      { name: 'Sued', members: [mail('bob')] },
    ],
  });
  admin = await service.login(account.slug, ['manage', 'routers:read', 'dispatch']);
});

const owned = (value: unknown) => ({
  groups: [{ conditions: [{ field: 'contact_owner', operator: 'in', value }] }],
});

/** Settings that name users wherever they can. No contact has an owner, so the first user gets each. */
const byUsers = (first: string, second: string) => ({
  overwrite: true,
  default_user: mail(first),
  rules: [
    { name: first, users: people([second]), trigger: owned([mail(first), mail(second)]) },
    { name: 'Others', users: people([first]) },
  ],
});

/** Settings of which the first team gets each contact. */
const byTeams = (first: string, second: string) => ({
  overwrite: true,
  rules: [first, second].map((name) => ({ name: `To ${name}`, teams: [{ name }] })),
});

/** A router whose version 1 has these settings, and version 2 none of them. */
async function published(settings: object): Promise<ManagedRouter> {
  const router = await ManagedRouter.create(admin, { settings, users: people(['bob']) });
  await router.publish();
  await router.patch({ settings: null });
  await router.patch({ settings: {} });
  await router.publish();
  return router;
}

/** The settings of version 1 as both ways of reading it show them. */
async function first(router: ManagedRouter): Promise<any> {
  const { settings } = await router.get('1');
  expect((await admin.get(`${router.path}/versions/1`)).body.router.settings).toEqual(settings);
  return settings;
}

const teamId = async (name: string): Promise<string> =>
  (await admin.get('/teams')).body.data.find((each: { name: string }) => each.name === name).id;

async function renameTeam(from: string, to: string): Promise<void> {
  expect((await admin.patch(`/teams/${await teamId(from)}`, { name: to })).status).toBe(200);
}

const simulate = (version: number): Promise<ApiResponse> =>
  account.simulate('Inbound', { fields: {}, version });

describe('an earlier version', () => {
  it('has the e-mails of now, after one change and after two [contract 6]', async () => {
    const router = await published(byUsers('ada', 'bob'));
    await renameUser(account, { from: 'ada', to: 'eve' });
    const { rules: then } = await first(router);
    expect([then[0].name, then[1].users]).toEqual(['ada', people(['eve'])]);
    await renameUser(account, { from: 'bob', to: 'ada' });
    await renameUser(account, { from: 'eve', to: 'gus' });
    const { rules, default_user } = await first(router);
    expect([default_user, rules[0].users]).toEqual([mail('gus'), people(['ada'])]);
    expect(rules[0].trigger).toEqual(owned([mail('gus'), mail('ada')]));
    expect((await simulate(1)).body.user).toBe(mail('gus'));
    const back = await router.rollBack(1);
    expect([back.status, back.body.settings]).toEqual([200, await first(router)]);
    expect(await account.assign('Inbound')).toBe('gus');
    await renameUser(account, { from: 'gus', to: 'ada-2' });
    expect((await router.get('3')).settings.default_user).toBe(mail('ada-2'));
    expect(await account.assign('Inbound')).toBe('ada-2');
  });

  it('tells two users apart who have swapped their e-mails [contract 6]', async () => {
    const router = await published(byUsers('ada', 'bob'));
    for (const [from, to] of [['ada', 'tmp'], ['bob', 'ada'], ['tmp', 'bob']] as const) {
      await renameUser(account, { from, to });
    }
    const settings = await first(router);
    expect([settings.default_user, settings.rules[0].users]).toEqual([mail('bob'), people(['ada'])]);
    expect(settings.rules[0].trigger).toEqual(owned([mail('bob'), mail('ada')]));
    expect((await router.rollBack(1)).status).toBe(200);
    expect(await account.assign('Inbound')).toBe('bob');
  }); // prettier-ignore

  it('tells two teams apart that have swapped their names [contract 6]', async () => {
    const router = await published(byTeams('Nord', 'Sued'));
    await renameTeam('Nord', 'West');
    expect((await first(router)).rules[0].teams).toEqual([{ name: 'West' }]);
    await renameTeam('Sued', 'Nord');
    await renameTeam('West', 'Sued');
    const { rules } = await first(router);
    expect(rules.map(({ teams }: any) => teams)).toEqual([[{ name: 'Sued' }], [{ name: 'Nord' }]]);
    expect((await simulate(1)).body.user).toBe(mail('ada'));
    expect((await router.rollBack(1)).status).toBe(200);
    expect(await account.assign('Inbound')).toBe('ada');
  });

  it('is not gone back to where its team is archived, whoever is called so now [contract 6]', async () => {
    const router = await published(byTeams('Nord', 'Sued'));
    const nord = await teamId('Nord');
    await renameTeam('Nord', 'Old');
    expect((await admin.delete(`/teams/${nord}`)).status).toBe(200);
    const field = 'settings.rules[0].teams[0].name';
    expectInvalid(await router.rollBack(1), [field, 'Old is not a team of the account']);
    await renameTeam('Sued', 'Old');
    const shown = [[{ name: 'Old' }], [{ name: 'Old' }]];
    expect((await first(router)).rules.map(({ teams }: any) => teams)).toEqual(shown);
    const message = 'The team Old of this version is archived: the one that is called so now is another';
    expectInvalid(await router.rollBack(1), [field, message]);
    expectInvalid(await simulate(1), ['version', `This version cannot be published: ${field}: ${message}`]);
    expect(await router.versions()).toHaveLength(2);
    expect(await account.assign('Inbound')).toBe('bob');
    // The archived team comes back by its name.
    await renameTeam('Old', 'Sued');
    expect((await admin.post('/teams', { name: 'Old' })).body.id).toBe(nord);
    expect((await router.rollBack(1)).status).toBe(200);
    expect(await account.assign('Inbound')).toBe('ada');
  });

  it('is not gone back to where its user is archived, who is told by the last e-mail [contract 6]', async () => {
    const rules = [{ name: 'A', users: people(['bob', 'ada']) }];
    const router = await published({ default_user: mail('ada'), rules });
    await renameUser(account, { from: 'ada', to: 'eve' });
    await archiveUser(account, mail('eve'));
    await renameUser(account, { from: 'bob', to: 'ada' });
    const gone = `${mail('eve')} is not a user of the account`;
    const fields = ['settings.rules[0].users[1].email', 'settings.default_user'] as const;
    expectInvalid(await router.rollBack(1), [fields[0], gone], [fields[1], gone]);
    expect((await first(router)).rules[0].users).toEqual(people(['ada', 'eve']));
  });

  it('does not care for an archived team that only has the name of a rule [contract 6]', async () => {
    const router = await published({ rules: [{ name: 'Nord', users: people(['ada']) }] });
    expect((await admin.delete(`/teams/${await teamId('Nord')}`)).status).toBe(200);
    await renameTeam('Sued', 'Nord');
    expect((await first(router)).rules[0].name).toBe('Nord');
    expect((await router.rollBack(1)).status).toBe(200);
    expect(await account.assign('Inbound')).toBe('ada');
  });

  it('still knows a field that is archived [contract 6]', async () => {
    const field = { object_type: 'contacts', internal_name: 'helper', type: 'user' };
    await account.apply({ fields: [field] });
    const conditions = [{ field: 'helper', operator: 'eq', value: mail('ada') }];
    const router = await published({ trigger: { groups: [{ conditions }] } });
    const { data } = (await admin.get('/fields?limit=100&object_type=contacts')).body;
    const { id } = data.find((each: any) => each.internal_name === 'helper');
    expect((await admin.delete(`/fields/${id}`)).status).toBe(200);
    await renameUser(account, { from: 'ada', to: 'eve' });
    const { trigger } = await first(router);
    expect(trigger.groups[0].conditions[0].value).toBe(mail('eve'));
  });
});

describe('a change of a name', () => {
  it('names no version, however many there are, and what is live keeps its number [contract 6]', async () => {
    const router = await ManagedRouter.create(admin, { settings: byTeams('Nord', 'Sued') });
    await router.publish();
    await router.patch({ settings: byUsers('ada', 'bob') });
    await router.publish();
    await router.patch({ name: 'Outbound' });
    await sql(
      service,
      `INSERT INTO router_versions SELECT (jsonb_populate_record(v, jsonb_build_object('version', n))).*
        FROM router_versions v, generate_series(3, 3000) AS n WHERE router_id = $1 AND version = 2`,
      [router.id],
    );
    const giveBack = await locks.table('router_versions');
    await renameUser(account, { from: 'ada', to: 'eve' });
    await renameTeam('Nord', 'West');
    await giveBack();
    expect((await router.get('3000')).settings).toMatchObject({ default_user: mail('eve') });
    expect((await router.get('1')).settings.rules[0].teams).toEqual([{ name: 'West' }]);
    expect((await router.get('draft')).settings).toMatchObject({ default_user: mail('eve') });
    expect((await router.get('2')).is_published).toBe(true);
    expect((await router.get('2')).settings).toEqual((await router.get()).settings);
    expect(await account.assign('Inbound')).toBe('eve');
    expect((await account.log()).at(-1)?.router_version).toBe(2);
  });

  it('writes no router and no version: what is stored has ids [contract 6]', async () => {
    const router = await ManagedRouter.create(admin, { settings: byUsers('ada', 'bob') });
    await router.publish();
    await router.patch({ settings: byTeams('Nord', 'Sued') });
    const stored = (): Promise<object[]> =>
      sql(
        service,
        `SELECT r.settings, r.draft, r.xmin::text, v.settings AS version FROM routers r
          JOIN router_versions v ON v.account_id = r.account_id AND v.router_id = r.id WHERE r.id = $1`,
        [router.id],
      );
    const before = await stored();
    expect(JSON.stringify(before)).not.toMatch(/@|Nord"\}/);
    await renameUser(account, { from: 'ada', to: 'eve' });
    await renameTeam('Nord', 'West');
    expect(await stored()).toEqual(before);
    expect((await router.get('draft')).settings.rules[0].teams).toEqual([{ name: 'West' }]);
  });

  it.each([
    ['with quotes', 'The "A" \\ team'],
    ['with a letter outside of ASCII', 'SÜD İstanbul'],
    ['with the e-mail of a user', mail('ada')],
  ])('reaches a team %s [contract 6]', async (_, name) => {
    await renameTeam('Nord', name);
    const router = await ManagedRouter.create(admin, { settings: byTeams(name, 'Sued') });
    await router.publish();
    await renameTeam(name, 'West');
    expect((await router.get()).settings.rules[0].teams).toEqual([{ name: 'West' }]);
    expect((await router.get('1')).settings).toEqual((await router.get()).settings);
    expect(await account.assign('Inbound')).toBe('ada');
  });

  it.each([' ADA@ACME.test', 'ada@acme.test'])(
    'reaches an operand in any case: %j [contract 6]',
    async (value) => {
      const rules = [{ name: 'A', users: people(['bob']), trigger: owned([value]) }];
      const router = await ManagedRouter.create(admin, { settings: { overwrite: true, rules } });
      await router.publish();
      await renameUser(account, { from: 'ada', to: 'eve' });
      expect((await router.get()).settings.rules[0].trigger).toEqual(owned([mail('eve')]));
      expect((await router.get('1')).settings).toEqual((await router.get()).settings);
      expect(await account.assign('Inbound', await account.contact({ contact_owner: mail('eve') }))).toBe(
        'bob',
      );
    },
  );

  it('reaches an operand whose case the database does not know [contract 6]', async () => {
    await account.apply({ users: people(['kim']) });
    const rules = [{ name: 'A', users: people(['bob']), trigger: owned([mail('\u212Aim')]) }];
    const router = await ManagedRouter.create(admin, { settings: { overwrite: true, rules } });
    await router.publish();
    await renameUser(account, { from: 'kim', to: 'eve' });
    expect((await router.get()).settings.rules[0].trigger).toEqual(owned([mail('eve')]));
  });
});
