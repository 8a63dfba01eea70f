import type { ApiClient } from '../../support/api-client.js';
import { expectInvalid } from '../../support/error-object.js';
import { adminOf } from '../../support/renaming.js';
import { mail, people, router, RoutingAccount } from '../../support/routing-account.js';
import { TestService } from '../../support/test-service.js';

let service: TestService;
let account: RoutingAccount;
let admin: ApiClient;

beforeAll(async () => {
  service = await TestService.shared();
});
afterAll(() => service.stop());

/** A name, and how else it may be spelled: case, ends, invisible characters, Unicode composition. */
const NAME = 'Café';
const SPELLED = [
  ['in another case', 'CAFÉ'],
  ['with white space at the ends', ' Café\u00a0'],
  ['with an invisible character', 'Ca\u200bfé'],
  ['in another composition', 'Cafe\u0301'],
] as const;

beforeEach(async () => {
  account = await RoutingAccount.open(service, {
    users: people(['ada', 'bob']),
    teams: [{ name: NAME, members: [mail('ada')] }],
    routers: [router(NAME, {}, { teams: [{ name: NAME }] })],
  });
  admin = await adminOf(account);
});

const names = async (path: string): Promise<string[]> =>
  (await admin.get(path)).body.data.map(({ name }: { name: string }) => name);

describe.each(SPELLED)('a name %s', (_, spelled) => {
  it('is the same team: taken, found, and spelled anew [contract 3]', async () => {
    const [{ id }] = (await admin.get('/teams')).body.data;
    const taken = await admin.post('/teams', { name: spelled });
    expect([taken.status, taken.body.field, taken.body.existing_id]).toEqual([409, 'name', id]);
    const other = (await admin.post('/teams', { name: 'Other' })).body.id;
    expect((await admin.patch(`/teams/${other}`, { name: spelled })).body.existing_id).toBe(id);
    expect((await admin.patch(`/teams/${id}`, { name: spelled })).status).toBe(200);
    expect(await names('/teams')).toEqual([spelled, 'Other']);
    await account.apply({ teams: [{ name: NAME, members: [mail('bob')] }] });
    expect(await names('/teams')).toEqual([NAME, 'Other']);
    expect(await account.turns(NAME, 1)).toBe('bob');
  });

  it('is the same team in pools, which list it once [contract 3, contract 4]', async () => {
    const rules = [{ name: 'A', teams: [{ name: NAME }, { name: spelled }] }];
    const refused = await admin.post('/routers', {
      name: 'Twice',
      object_type: 'contacts',
      settings: { rules },
      teams: [{ name: spelled }, { name: NAME }],
    });
    expectInvalid(
      refused,
      ['teams[1].name', `Listed twice: ${NAME}`],
      ['settings.rules[0].teams[1].name', /^Listed twice: /],
    );
    const pool = { teams: [{ name: spelled }], settings: { rules: [{ name: 'A', teams: [{ name: spelled }] }] } };
    const made = await admin.post('/routers', { name: 'Once', object_type: 'contacts', ...pool });
    expect(made.body.settings.rules[0].teams).toEqual([{ name: NAME }]);
    expect(made.body.teams.map(({ name }: { name: string }) => name)).toEqual([NAME]);
  }); // prettier-ignore

  it('is the same router, live and in a draft [contract 3]', async () => {
    const id = await account.routerId(NAME);
    const body = { name: spelled, object_type: 'contacts', settings: {} };
    expect((await admin.post('/routers', body)).body.existing_id).toBe(id);
    await account.apply({ routers: [router(spelled, { overwrite: true })] });
    expect((await admin.get(`/routers/${id}`)).body).toMatchObject({ name: spelled, settings: { overwrite: true } });
    expect(await names('/routers')).toEqual([spelled]);
    const other = (await admin.post('/routers', { ...body, name: 'Other' })).body.id;
    expect((await admin.patch(`/routers/${other}`, { name: NAME })).body.existing_id).toBe(id);
  }); // prettier-ignore

  it('is the same rule, which keeps its rotation [contract 3, contract 4]', async () => {
    const rule = (name: string) => ({ name, users: people(['ada', 'bob']) });
    const twice = await admin.patch(`/routers/${await account.routerId(NAME)}`, {
      settings: { rules: [rule(NAME), rule(spelled)] },
    });
    expectInvalid(twice, ['settings.rules[1].name', /^Listed twice: /]);
    await account.apply({ routers: [router(NAME, { rules: [rule(NAME)] })] });
    expect(await account.turns(NAME, 1)).toBe('ada');
    await account.apply({ routers: [router(NAME, { rules: [rule(spelled)] })] });
    expect(await account.turns(NAME, 1)).toBe('bob');
  });

  it('stands once in a file [contract 3, contract 5]', async () => {
    const twice = { teams: [{ name: NAME }, { name: spelled }] };
    await expect(account.apply(twice)).rejects.toThrow('must not name one twice');
    const routers = [router(NAME, {}), router(spelled, {})];
    await expect(account.apply({ routers })).rejects.toThrow('must not name one twice');
  });
});

it('an e-mail of a user in another form of its domain is the same user [contract 3]', async () => {
  const [unicode, ascii, dotted] = ['ada@bücher.test', 'Ada@xn--bcher-kva.test', 'ADA@BÜCHER.test.'];
  const { id, email } = (await admin.post('/users', { email: unicode })).body;
  expect(email).toBe(unicode);
  const taken = await admin.post('/users', { email: ascii });
  expect([taken.status, taken.body.field, taken.body.existing_id]).toEqual([409, 'email', id]);
  const { data } = (await admin.get('/users')).body;
  const bob = data.find((user: { email: string }) => user.email === mail('bob'));
  expect((await admin.patch(`/users/${bob.id}`, { email: ascii })).body.existing_id).toBe(id);

  for (const [index, form] of [ascii, dotted].entries()) {
    const team = await admin.post('/teams', { name: `Ada alone ${index}`, members: [form] });
    expect(team.body.members).toEqual([unicode]);
    const routers = [router('R', { default_user: form }, { users: [{ email: form }] })];
    await account.apply({ routers });
    expect((await account.simulate('R', { fields: {} })).body.user).toBe(unicode);
    const set = await account.api.post('/contacts?properties=contact_owner', {
      fields: { last_name: 'Lee', contact_owner: form },
    });
    expect(set.body).toMatchObject({ contact_owner: unicode });
  }

  await account.apply({ users: [{ email: ascii }] });
  expect((await admin.get(`/users/${id}`)).body.email).toBe(ascii.toLowerCase());
  await expect(account.apply({ users: [{ email: ascii }, { email: unicode }] })).rejects.toThrow();
});

it.each([
  ['users', { users: ['ada@bücher.test', 'Ada@xn--bcher-kva.test'].map((email) => ({ email, max: 1 })) }],
  ['teams', { teams: [NAME, 'CAFÉ'].map((name) => ({ name, max: 1 })) }],
])('a capacity lists none of its %s twice, however they are spelled [contract 3]', async (key, members) => {
  await admin.post('/users', { email: 'ada@bücher.test' });
  const counts = { object_type: 'contacts', field: 'lifecycle_stage', values: ['lead'] };
  const apply = account.apply({ capacities: [{ name: 'Leads', ...counts, ...members }] });
  await expect(apply).rejects.toThrow(`${key} must not name one twice`);
});
