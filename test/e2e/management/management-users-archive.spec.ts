import { expectError } from '../../support/error-object.js';
import { exported } from '../../support/configuration-file.js';
import { ManagedRouter, pick, pool } from '../../support/managed-router.js';
import { adminOf, userId } from '../../support/renaming.js';
import { mail, people, router, RoutingAccount, type AccountFile } from '../../support/routing-account.js';
import { TestService } from '../../support/test-service.js';

let service: TestService;

beforeAll(async () => {
  service = await TestService.shared();
});
afterAll(() => service.stop());

const open = (file: AccountFile): Promise<RoutingAccount> =>
  RoutingAccount.open(service, { users: people(['ada', 'bob']), ...file });

/** Archives ada, and what names her. */
async function orphan(account: RoutingAccount): Promise<void> {
  const admin = await adminOf(account);
  const { status } = await admin.delete(`/users/${await userId(admin, 'ada')}?orphan=true`);
  expect(status).toBe(200);
}

describe('a user whom nothing names', () => {
  it('is archived, and gone from lists and from what fields take [contract 6]', async () => {
    const account = await open({ teams: [{ name: 'Sales', members: [mail('ada'), mail('bob')] }] });
    const admin = await adminOf(account);
    const { body: ada } = await admin.get(`/users/${await userId(admin, 'ada')}`);
    const { status, body } = await admin.delete(`/users/${ada.id}`);
    const changed = { archived: expect.stringMatching(/Z$/), updated_at: body.updated_at };
    expect([status, body]).toEqual([200, { ...ada, ...changed }]);
    expect((await admin.get(`/users/${ada.id}`)).body).toEqual(body);
    expect((await admin.get('/users')).body.data.map(({ email }: any) => email)).toEqual([mail('bob')]);
    expectError(await admin.delete(`/users/${ada.id}`), 404, { message: 'User not found' });
    const fields = { first_name: 'L', contact_owner: mail('ada') };
    expect((await account.api.post('/contacts', { fields })).status).toBe(400);
    expect((await admin.get('/audit?limit=1')).body.data[0]).toMatchObject({
      action: 'archive',
      object: { kind: 'user', id: ada.id, name: mail('ada') },
      changes: [{ path: 'archived', from: false, to: true }],
    });
  });

  it.each(['maybe', '', '1'])('is not archived with orphan=%s [contract 1]', async (value) => {
    const account = await open({});
    const admin = await adminOf(account);
    const refused = await admin.delete(`/users/${await userId(admin, 'ada')}?orphan=${value}`);
    const message = 'orphan must be true or false';
    expectError(refused, 400, { message, field: 'orphan', errors: [{ field: 'orphan', message }] });
    expect(await userId(admin, 'ada')).toBeTruthy();
  });
});

describe('a user who owns records, or whom routers list', () => {
  it('is not archived: the answer counts and names them [contract 6]', async () => {
    const one = (name: string, settings: object, more: object = { users: people(['bob']) }): object =>
      router(name, settings, more);
    const account = await open({
      teams: [{ name: 'Sales', members: [mail('ada')] }],
      routers: [
        one('Pool', {}, { users: people(['ada', 'bob']) }),
        one('Rule', { rules: [{ name: 'A', users: [{ email: mail('ada') }] }] }),
        one('Backup', { default_user: mail('ada') }),
        one('Team', {}, { teams: [{ name: 'Sales' }] }),
        one('Condition', {
          trigger: {
            groups: [{ conditions: [{ field: 'contact_owner', operator: 'eq', value: mail('ada') }] }],
          },
        }),
        one('Other', {}),
      ],
    });
    const mine = { contact_owner: mail('ada') };
    for (let n = 0; n < 3; n++) await account.contact(mine);
    await account.contact({ contact_owner: mail('bob') });
    await account.api.delete(`/contacts/${await account.contact(mine)}`);
    await account.create('companies', { company_name: 'C', company_owner: mail('ada') });
    const admin = await adminOf(account);
    const ada = await userId(admin, 'ada');
    const version = await account.version();
    const refused = await admin.delete(`/users/${ada}`);
    const routers = await Promise.all(
      ['Pool', 'Rule', 'Backup'].map(async (name) => ({ id: await account.routerId(name), name })),
    );
    expectError(refused, 409, {
      code: 'conflict',
      message:
        'This user owns 3 contacts and 1 company, and is listed by the routers Pool, Rule, Backup: ' +
        'change that first, or send orphan=true',
      records: { contacts: 3, companies: 1 },
      routers: expect.arrayContaining(routers),
    });
    expect(refused.body.routers).toHaveLength(3);
    expect(await account.version()).toBe(version);
    expect((await admin.get(`/users/${ada}`)).body.archived).toBe(false);
  });

  it('is archived with orphan=true: records keep the text, and a POST brings the user back [contract 6]', async () => {
    const account = await open({ routers: [router('R', {}, { users: people(['ada', 'bob']) })] });
    const id = await account.contact({ contact_owner: mail('ada') });
    await orphan(account);
    expect((await account.api.get(`/contacts/${id}`)).body.contact_owner).toBe(mail('ada'));
    const changed = await account.api.patch(`/contacts/${id}`, { fields: { city: 'Paris' } });
    expect([changed.status, changed.body.contact_owner]).toEqual([200, mail('ada')]);
    expect(await account.turns('R', 2)).toBe('bob bob');
    const admin = await adminOf(account);
    const { data } = (await admin.get('/audit?object=user&limit=1')).body;
    expect([data[0].action, data[0].changes]).toEqual([
      'archive',
      [
        { path: 'archived', from: false, to: true },
        { path: 'orphan', from: null, to: true },
      ],
    ]);
    const again = await admin.post('/users', { email: mail('ada') });
    expect([again.status, again.body.archived]).toEqual([201, false]);
    expect((await account.api.get(`/contacts/${id}`)).body.contact_owner).toBe(mail('ada'));
    expect(await account.turns('R', 2)).toBe('bob bob');
  });

  it('leaves routers that still run, and say why nobody gets a record [contract 4, contract 6]', async () => {
    const percentages = [
      { email: mail('ada'), percentage: 75 },
      { email: mail('bob'), percentage: 25 },
    ];
    const account = await open({
      routers: [
        router('Alone', {}, { users: people(['ada']) }),
        router('Backup', { default_user: mail('ada') }, { users: people(['ada']) }),
        router(
          'Rule',
          { rules: [{ name: 'A', users: [{ email: mail('ada') }] }] },
          { users: people(['bob']) },
        ),
        router('Shares', { distribution_model: 'percentage' }, { users: percentages }),
        router('Owned', { overwrite_if_unavailable: true }, { users: people(['bob']) }),
      ],
    });
    const owned = await account.contact({ contact_owner: mail('ada') });
    await orphan(account);
    const nobody = 'There are no users available and the backup user is disabled';
    for (const name of ['Alone', 'Backup', 'Rule']) {
      const { body } = await account.dispatch(name, await account.contact());
      expect([name, body.success, body.message]).toEqual([name, false, nobody]);
      const { body: entry } = await account.api.get(`/assignments/${body.assignment_id}`);
      const backup = entry.trace.at(-1);
      expect([name, backup.step, backup.outcome]).toEqual([name, 'default_user', 'not_set']);
    }
    expect(await account.turns('Shares', 3)).toBe('bob bob bob');
    expect(await account.assign('Owned', owned)).toBe('bob');
    expect((await account.api.get('/routers')).body.pagination.count).toBe(5);
  });

  it('counts by the owner fields that routers have of their own, too [contract 4, contract 6]', async () => {
    const account = await open({
      fields: [{ object_type: 'contacts', internal_name: 'sdr', type: 'user' }],
      routers: [router('Second', { owner_field: 'sdr' }, { users: people(['bob']) })],
    });
    await account.contact({ sdr: mail('ada') });
    const admin = await adminOf(account);
    const refused = await admin.delete(`/users/${await userId(admin, 'ada')}`);
    expectError(refused, 409, {
      code: 'conflict',
      message: 'This user owns 1 contact: change that first, or send orphan=true',
      records: { contacts: 1 },
      routers: [],
    });
  });

  it('owns the sum by all these fields: a record may count twice [contract 4, contract 6]', async () => {
    const account = await open({
      fields: [{ object_type: 'contacts', internal_name: 'sdr', type: 'user' }],
      routers: [router('Second', { owner_field: 'sdr' }, { users: people(['bob']) })],
    });
    for (const [owner, sdr] of [
      ['ada', 'ada'],
      ['ada', 'bob'],
      ['bob', 'ada'],
      ['ada', 'bob'],
    ] as const) {
      await account.contact({ contact_owner: mail(owner), sdr: mail(sdr) });
    }
    const admin = await adminOf(account);
    const refused = await admin.delete(`/users/${await userId(admin, 'ada')}`);
    expectError(refused, 409, {
      code: 'conflict',
      message: 'This user owns 5 contacts: change that first, or send orphan=true',
      records: { contacts: 5 },
      routers: [],
    });
  });

  it('is unknown to another account [7, contract 6]', async () => {
    const [account, stranger] = [await open({}), await open({})];
    const ada = await userId(await adminOf(account), 'ada');
    const admin = await adminOf(stranger);
    expectError(await admin.delete(`/users/${ada}?orphan=true`), 404, { message: 'User not found' });
    expectError(await admin.patch(`/users/${ada}`, { email: mail('eve') }), 404, {
      message: 'User not found',
    });
    expect((await (await adminOf(account)).get(`/users/${ada}`)).body).toMatchObject({
      email: mail('ada'),
      archived: false,
    });
  });
});

describe('an archived user', () => {
  it('leaves a draft as stale as it was, where something else is live by now [contract 6]', async () => {
    const account = await open({});
    const router = await ManagedRouter.create(await adminOf(account), pick('ada', 'bob'));
    await router.publish();
    await router.patch({ settings: { overwrite: true } });
    await router.publish();
    // The draft is begun on version 2, of which a rollback makes version 3.
    await router.patch({ settings: { ignore_working_hours: true } });
    expect((await router.rollBack(1)).status).toBe(200);
    expect((await router.publish()).status).toBe(409);
    await orphan(account);
    expect([pool(await router.get('live')), pool(await router.get('draft'))]).toEqual(['bob', 'bob']);
    expect((await router.publish()).status).toBe(409);
  });

  const rule = (name: string, users: object): object => ({ name, ...users });

  it('has left teams, capacities and routers, and comes back to none of them [contract 5, contract 6]', async () => {
    const shares = [
      { email: mail('ada'), percentage: 60 },
      { email: mail('bob'), percentage: 30 },
      { email: mail('eve'), percentage: 10 },
    ];
    const account = await open({
      users: people(['ada', 'bob', 'eve']),
      teams: [{ name: 'Sales', members: [mail('ada'), mail('bob')] }],
      capacities: [
        {
          name: 'Open',
          object_type: 'tickets',
          field: 'ticket_stage',
          values: ['new'],
          users: [
            { email: mail('ada'), max: 3 },
            { email: mail('bob'), max: 4 },
          ],
        },
      ],
      routers: [
        router(
          'Shares',
          {
            distribution_model: 'percentage',
            default_user: mail('ada'),
            rules: [
              rule('Some', { users: shares }),
              rule('Beside', {
                distribution_model: 'round robin',
                users: [{ email: mail('ada') }],
                teams: [{ name: 'Sales' }],
              }),
              rule('Only', { distribution_model: 'round robin', users: [{ email: mail('ada') }] }),
            ],
          },
          { users: shares },
        ),
        router('Other', {}, { users: people(['bob']) }),
      ],
    });
    await orphan(account);
    const file = await exported(account);
    const left = [
      { email: mail('bob'), percentage: 75 },
      { email: mail('eve'), percentage: 25 },
    ];
    const [shared] = file.routers;
    expect([shared.users, shared.settings.default_user]).toEqual([left, null]);
    const pools = shared.settings.rules.map(({ name, users, teams }: any) => [name, users, teams]);
    expect(pools).toEqual([
      ['Some', left, undefined],
      ['Beside', undefined, [{ name: 'Sales' }]],
      ['Only', [], []],
    ]);
    expect(file.teams).toEqual([{ name: 'Sales', members: [mail('bob')] }]);
    expect(file.capacities[0].users).toEqual([{ email: mail('bob'), max: 4 }]);

    // What is exported can be applied, and changes nothing.
    const { slug: _, ...sections } = file;
    const version = await account.version();
    await account.apply(sections);
    expect([await account.version(), await exported(account)]).toEqual([version, file]);
    const admin = await adminOf(account);
    expect((await admin.post('/users', { email: mail('ada') })).status).toBe(201);
    const { users, ...rest } = await exported(account);
    expect(users).toHaveLength(3);
    expect(rest).toEqual({ ...rest, teams: file.teams, capacities: file.capacities, routers: file.routers });
  });

  it('is audited wherever something has changed [contract 6]', async () => {
    const account = await open({
      teams: [{ name: 'Sales', members: [mail('ada')] }],
      routers: [router('R', {}, { users: people(['ada', 'bob']) })],
    });
    const admin = await adminOf(account);
    await admin.delete(`/users/${await userId(admin, 'ada')}?orphan=true`);
    const { data } = (await admin.get('/audit?limit=3')).body;
    expect(data.map(({ action, object: { kind } }: any) => [action, kind])).toEqual([
      ['archive', 'user'],
      ['update', 'router'],
      ['update', 'team'],
    ]);
    expect(data[1].changes).toEqual([
      { path: 'users[ada@acme.test]', from: { email: mail('ada') }, to: null },
      { path: 'version', from: 1, to: 2 },
    ]);
  });

  it('leaves a version that can be changed and published, and another that names the user [contract 6]', async () => {
    const account = await open({});
    const admin = await adminOf(account);
    const managed = await ManagedRouter.create(admin, pick('ada', 'bob'));
    await managed.publish();
    await managed.patch({ settings: { overwrite: true } });
    const { updated_at: patched } = await managed.get('draft');
    await orphan(account);
    const [newest] = await managed.versions();
    expect(newest).toMatchObject({ version: 2, note: `Without ${mail('ada')}` });
    const live = await managed.get();
    expect([pool(live), live.settings.overwrite]).toEqual(['bob', false]);
    const draft = await managed.get('draft');
    expect([pool(draft), draft.settings.overwrite]).toEqual(['bob', true]);
    expect(draft.updated_at > patched).toBe(true);
    const { status, body } = await managed.publish();
    expect([status, pool(body), body.settings.overwrite]).toEqual([200, 'bob', true]);
    const { status: refused, body: why } = await managed.rollBack(1);
    expect([refused, why.errors[0].field]).toEqual([400, 'users[0].email']);
  });

  it('leaves drafts and routers that are not published [contract 6]', async () => {
    const account = await open({});
    const admin = await adminOf(account);
    const [onlyDraft, away, drafted, kept] = [
      await ManagedRouter.create(admin, { name: 'Draft', ...pick('ada', 'bob') }),
      await ManagedRouter.create(admin, { name: 'Away', ...pick('ada', 'bob') }),
      await ManagedRouter.create(admin, { name: 'Drafted', ...pick('bob') }),
      await ManagedRouter.create(admin, { name: 'Kept', ...pick('bob') }),
    ];
    await away.publish();
    await away.unpublish();
    await drafted.publish();
    await drafted.patch(pick('ada'));
    await kept.publish();
    await kept.patch({ settings: { overwrite: true } });
    const before = [await drafted.get(), await drafted.get('draft'), await kept.get('draft')];
    await orphan(account);
    // Only what has changed has another instant of its last change.
    const after = [await drafted.get(), await drafted.get('draft'), await kept.get('draft')];
    const moves = after.map(({ updated_at }, index) => updated_at > before[index].updated_at);
    expect(moves).toEqual([false, true, false]);
    expect(pool(await onlyDraft.get())).toBe('bob');
    expect([pool(await drafted.get()), pool(await drafted.get('draft'))]).toEqual(['bob', '']);
    for (const router of [onlyDraft, away]) {
      const { status, body } = await router.publish();
      expect([status, pool(body)]).toEqual([200, 'bob']);
    }
    expect(await drafted.versions()).toHaveLength(1);
  });
});
