import { expectError } from '../../support/error-object.js';
import { adminOf, renameUser, userId } from '../../support/renaming.js';
import { mail, people, router, RoutingAccount } from '../../support/routing-account.js';
import { TestService } from '../../support/test-service.js';

let service: TestService;

beforeAll(async () => {
  service = await TestService.shared();
});
afterAll(() => service.stop());

const TO_EVE = { from: 'ada', to: 'eve' };

/** A custom user field, which needs no request to be right. */
const SECOND_OWNER = {
  object_type: 'contacts',
  internal_name: 'second_owner',
  label: 'Second owner',
  type: 'user',
};

/** An account of ada and bob with a router R over both. */
const open = (settings: object = {}, more: object = {}): Promise<RoutingAccount> =>
  RoutingAccount.open(service, {
    users: people(['ada', 'bob']),
    fields: [SECOND_OWNER],
    routers: [router('R', settings, { users: people(['ada', 'bob']) })],
    ...more,
  });

describe('records whose owner has another e-mail', () => {
  it('show it wherever they are read, and keep their own times [contract 6]', async () => {
    const account = await open();
    const { api } = account;
    const both = { contact_owner: mail('ada'), second_owner: mail('ada'), email: mail('ada') };
    const id = await account.contact(both);
    const path = `/contacts/${id}?properties=second_owner,last_modified_date`;
    const { body: before } = await api.get(path);
    await renameUser(account, TO_EVE);

    const after = { ...before, contact_owner: mail('eve'), second_owner: mail('eve') };
    expect(after.email).toBe(mail('ada'));
    expect((await api.get(path)).body).toEqual(after);
    const { second_owner, last_modified_date, ...plain } = after;
    expect([second_owner, last_modified_date]).toEqual([mail('eve'), before.last_modified_date]);
    expect((await api.get(`/contacts/${id}`)).body).toEqual(plain);
    const lists = ['/contacts', '/contacts?limit=1', '/contacts?archived=true&offset=0'];
    for (const list of lists) expect((await api.get(list)).body.data).toEqual([plain]);
    expect((await api.get('/contacts?properties=second_owner,last_modified_date')).body.data).toEqual([
      after,
    ]);
    const changed = await api.patch(`/contacts/${id}?properties=second_owner`, { fields: { city: 'Paris' } });
    expect([changed.body.contact_owner, changed.body.second_owner]).toEqual([mail('eve'), mail('eve')]);
    const archived = await api.delete(`/contacts/${id}`);
    expect([archived.status, archived.body.contact_owner]).toEqual([200, mail('eve')]);
    expect((await api.get(`/contacts/${id}`)).body.contact_owner).toBe(mail('eve'));
  });

  it('show it where a page is too large for one statement, and behind an offset [contract 6]', async () => {
    const account = await open();
    const description = 'x'.repeat(16 * 1024);
    for (let n = 0; n < 3; n++) {
      await account.create('companies', { company_name: `C${n}`, description, company_owner: mail('ada') });
    }
    await account.apply({
      fields: [1, 2, 3].map((n) => ({
        object_type: 'companies',
        internal_name: `notes_${n}`,
        label: `Notes ${n}`,
        type: 'string',
        long: true,
      })),
    });
    const long = 'y'.repeat(256 * 1024 - 1);
    const { body: page } = await account.api.get('/companies');
    for (const { id } of page.data) {
      const fields = { notes_1: long, notes_2: long, notes_3: long };
      expect((await account.api.patch(`/companies/${id}`, { fields })).status).toBe(200);
    }
    await renameUser(account, TO_EVE);
    const all = '?limit=100&properties=notes_1,notes_2,notes_3';
    for (const query of [all, `${all}&offset=1`, '?offset=2']) {
      const { body } = await account.api.get(`/companies${query}`);
      const owners = body.data.map((each: { company_owner: string }) => each.company_owner);
      expect(new Set(owners)).toEqual(new Set([mail('eve')]));
    }
  });

  it('take it from then on, and the former one no more [contract 3, contract 6]', async () => {
    const account = await open();
    const admin = await adminOf(account);
    const id = await userId(admin, 'ada');
    await renameUser(account, TO_EVE);
    const made = await account.api.post('/contacts', {
      fields: { first_name: 'L', contact_owner: mail('eve') },
    });
    expect([made.status, made.body.contact_owner]).toEqual([201, mail('eve')]);
    const byId = await account.api.patch(`/contacts/${made.body.id}`, { fields: { contact_owner: id } });
    expect([byId.status, byId.body.contact_owner]).toEqual([200, mail('eve')]);
    const refused = await account.api.patch(`/contacts/${made.body.id}`, {
      fields: { contact_owner: mail('ada') },
    });
    const message = 'contact_owner is not a user of the account (send an id or e-mail)';
    expectError(refused, 400, {
      code: 'invalid_fields',
      message,
      field: 'contact_owner',
      errors: [{ field: 'contact_owner', message }],
    });
  });
});

describe('a search for a user', () => {
  it('finds what the user owns at once after each new e-mail, and refuses the one before [contract 6, contract 7]', async () => {
    const account = await open();
    const admin = await adminOf(account);
    const id = await userId(admin, 'ada');
    const owned = await account.contact({ contact_owner: mail('ada'), second_owner: mail('ada') });
    await account.contact({ contact_owner: mail('bob') });
    const search = async (field: string, operator: string, value: string): Promise<unknown> => {
      const filter = { groups: [{ conditions: [{ field, operator, value }] }] };
      const { status, body } = await account.api.post('/contacts/search', { filter, count: true });
      return status === 200 ? body.data.map((each: { id: string }) => each.id === owned) : status;
    };
    for (const name of ['ada1', 'ada2', 'ada']) {
      for (const field of ['contact_owner', 'second_owner']) {
        // The configuration is known before the change.
        expect(await search(field, 'eq', id)).toEqual([true]);
        const { email: before } = (await admin.get(`/users/${id}`)).body;
        expect((await admin.patch(`/users/${id}`, { email: mail(`${name}-${field}`) })).status).toBe(200);
        expect(await search(field, 'neq', id)).toEqual([false]);
        expect((await admin.patch(`/users/${id}`, { email: mail(`${name}-${field}-2`) })).status).toBe(200);
        expect(await search(field, 'eq', id)).toEqual([true]);
        expect((await admin.patch(`/users/${id}`, { email: mail(`${name}-${field}-3`) })).status).toBe(200);
        expect(await search(field, 'eq', before)).toBe(400);
      }
    }
  });
});

describe('what an administrator reads of a user with another e-mail', () => {
  it('has it in pools, teams, rules, conditions, the backup, capacities and the export [contract 6]', async () => {
    const condition = (value: unknown) => ({
      groups: [{ conditions: [{ field: 'contact_owner', operator: 'in', value }] }],
    });
    const settings = (email: string) => ({
      default_user: email,
      trigger: condition([email, mail('bob')]),
      rules: [{ name: 'One', trigger: condition([email]), users: [{ email }] }],
    });
    const capacity = (email: string) => ({
      name: 'Seconds',
      object_type: 'contacts',
      field: 'second_owner',
      values: [email],
      users: [{ email, max: 3 }],
    });
    const account = await open(
      {},
      {
        teams: [{ name: 'Sales', members: [mail('ada')] }],
        capacities: [capacity(mail('ada'))],
        routers: [router('R', settings(mail('ada')), { users: people(['ada']), teams: [{ name: 'Sales' }] })],
      },
    );
    const before = JSON.stringify(await account.exported());
    expect(before).toContain(mail('ada'));
    await renameUser(account, TO_EVE);
    const after = await account.exported();
    expect(JSON.stringify(after)).not.toContain(mail('ada'));
    expect(after.routers[0].settings).toMatchObject(settings(mail('eve')));
    expect(after.capacities).toEqual([{ ...capacity(mail('eve')), teams: [] }]);
    const { body } = await account.api.get(`/routers/${await account.routerId('R')}`);
    expect(body.users.map((each: { email: string }) => each.email)).toEqual([mail('eve')]);
    expect(body.teams.map((each: { members: string[] }) => each.members)).toEqual([[mail('eve')]]);
    expect(body.settings).toMatchObject(settings(mail('eve')));
    // It is the same configuration: the file changes nothing.
    const version = await account.version();
    await account.apply(after);
    expect(await account.version()).toBe(version);
  });

  it('has it in the log, which is found by it alone; a trace tells what was then [contract 6]', async () => {
    const account = await open({ overwrite: true });
    const id = await account.contact();
    expect(await account.assign('R', id)).toBe('ada');
    expect(await account.assign('R', id)).toBe('bob');
    await renameUser(account, TO_EVE);
    const { body: log } = await account.api.get('/assignments');
    const shown = log.data.map((each: any) => [each.user, each.previous_user]);
    expect(shown).toEqual([
      [mail('bob'), mail('eve')],
      [mail('eve'), null],
    ]);
    const one = await account.api.get(`/assignments/${log.data[1].id}`);
    expect([one.body.user, one.body.trace.at(-1).chosen]).toEqual([mail('eve'), mail('ada')]);
    const ofUser = (email: string) => account.api.get(`/assignments?user=${encodeURIComponent(email)}`);
    expect((await ofUser(mail('eve'))).body.pagination.count).toBe(1);
    expect((await ofUser(mail('EVE'))).body.data).toEqual([log.data[1]]);
    expect((await ofUser(mail('ada'))).body).toMatchObject({ data: [], pagination: { count: 0 } });
    expect((await ofUser(mail('ghost'))).body.pagination.count).toBe(0);
  });

  it('has it in the draft and in all versions, whose numbers stay [contract 6]', async () => {
    const account = await open({ default_user: mail('ada') });
    const admin = await adminOf(account);
    const path = `/routers/${await account.routerId('R')}`;
    const rules = [{ name: 'One', users: [{ email: mail('ada') }] }];
    expect((await admin.patch(path, { settings: { rules } })).status).toBe(200);
    expect((await admin.post(`${path}/publish`, {})).status).toBe(200);
    expect((await admin.patch(path, { settings: { overwrite: true } })).status).toBe(200);
    const seen = async (): Promise<string[]> => {
      const versions = ['live', '1', '2', 'draft'];
      const answers = await Promise.all(versions.map((version) => admin.get(`${path}?version=${version}`)));
      return answers.map(({ status, body }) => `${status} ${JSON.stringify(body.settings)}`);
    };
    const before = await seen();
    expect(before.every((text) => text.includes(mail('ada')))).toBe(true);
    await renameUser(account, TO_EVE);
    expect(await seen()).toEqual(before.map((text) => text.replaceAll(mail('ada'), mail('eve'))));
    const { body } = await account.dispatch('R', await account.contact());
    expect(body.user).toBe(mail('eve'));
    const { body: entry } = await account.api.get(`/assignments/${body.assignment_id}`);
    expect(entry.router_version).toBe(2);
    expect((await admin.post(`${path}/publish`, {})).status).toBe(200);
    expect((await admin.post(`${path}/rollback`, { version: 1 })).status).toBe(200);
    const listed = (await admin.get(`${path}/versions`)).body.data;
    expect(listed.map(({ version }: { version: number }) => version)).toEqual([4, 3, 2, 1]);
    expect((await admin.get(path)).body.settings.default_user).toBe(mail('eve'));
  });

  it('has it in one entry of the audit [contract 6]', async () => {
    const account = await open({ default_user: mail('ada') });
    await renameUser(account, TO_EVE);
    const admin = await adminOf(account);
    const { body } = await admin.get('/audit?object=user&limit=1');
    expect(body.data[0]).toMatchObject({
      action: 'update',
      object: { kind: 'user', name: mail('eve') },
      changes: [{ path: 'email', from: mail('ada'), to: mail('eve') }],
    });
  });
});

describe('another e-mail', () => {
  it.each([
    ['of an active user', 'bob', 'duplicate'],
    ['of an archived user', 'old', 'conflict'],
  ])('%s is refused, and nothing changes [contract 1, contract 6]', async (_, name, code) => {
    const account = await RoutingAccount.open(service, { users: people(['ada', 'bob', 'old']) });
    const admin = await adminOf(account);
    const other = await userId(admin, name);
    if (name === 'old') expect((await admin.delete(`/users/${other}`)).status).toBe(200);
    const ada = await userId(admin, 'ada');
    const refused = await admin.patch(`/users/${ada}`, { email: mail(name), name: 'Changed' });
    const message =
      code === 'duplicate'
        ? 'A user with this email already exists'
        : 'An archived user has this email: records may name them by it';
    const existing = code === 'duplicate' ? { existing_id: other } : {};
    expectError(refused, 409, {
      code,
      message,
      field: 'email',
      ...existing,
      errors: [{ field: 'email', message, ...existing }],
    });
    expect((await admin.get(`/users/${ada}`)).body).toMatchObject({ email: mail('ada'), name: null });
  });

  it('in another case is the same one: nothing changes [contract 6]', async () => {
    const account = await open();
    const admin = await adminOf(account);
    const { body: before } = await admin.get(`/users/${await userId(admin, 'ada')}`);
    const version = await account.version();
    const { status, body } = await admin.patch(`/users/${before.id}`, { email: 'ADA@Acme.test' });
    expect([status, body]).toEqual([200, before]);
    expect(await account.version()).toBe(version);
  });

  it('leaves the former one to others, and their records stay apart [contract 6]', async () => {
    const account = await open();
    const ofFirst = await account.contact({ contact_owner: mail('ada') });
    await renameUser(account, TO_EVE);
    // A file that names the former e-mail creates another user.
    await account.apply({ users: people(['ada']) });
    const ofSecond = await account.contact({ contact_owner: mail('ada') });
    await renameUser(account, { from: 'ada', to: 'ann' });
    await renameUser(account, { from: 'eve', to: 'ada' });
    const owner = async (id: string) => (await account.api.get(`/contacts/${id}`)).body.contact_owner;
    expect([await owner(ofFirst), await owner(ofSecond)]).toEqual([mail('ada'), mail('ann')]);
    const admin = await adminOf(account);
    const refused = await admin.delete(`/users/${await userId(admin, 'ann')}`);
    expect([refused.status, refused.body.records, refused.body.routers]).toEqual([409, { contacts: 1 }, []]);
  });

  it('changes nothing for another account with the same e-mails [7, contract 6]', async () => {
    const [account, stranger] = [await open(), await open()];
    const id = await stranger.contact({ contact_owner: mail('ada') });
    await account.contact({ contact_owner: mail('ada') });
    const before = await stranger.exported();
    await renameUser(account, TO_EVE);
    expect((await stranger.api.get(`/contacts/${id}`)).body.contact_owner).toBe(mail('ada'));
    expect((await stranger.exported()).routers).toEqual(before.routers);
    expect(await stranger.turns('R', 2)).toBe('ada bob');
  });
});
