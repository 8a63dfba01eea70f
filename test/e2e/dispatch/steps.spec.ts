import { exported, refusals } from '../../support/configuration-file.js';
import type { ApiClient } from '../../support/api-client.js';
import { mail, people, router, RoutingAccount } from '../../support/routing-account.js';
import { TestService } from '../../support/test-service.js';
import { condition } from '../../support/database/trigger-table.js';

let service: TestService;
beforeAll(async () => {
  service = await TestService.shared();
});
afterAll(() => service.stop());

const STEPS = [
  { name: 'Second line', users: people(['eve', 'dan']) },
  { id: 'last', teams: [{ name: 'Reds' }], distribution_model: 'load balanced' },
];

/** An account with a router R: Ada first, then the steps; Paris has a rule with steps of its own. */
const open = (settings: object = {}, pool: object = { users: people(['ada']) }): Promise<RoutingAccount> =>
  RoutingAccount.open(service, {
    users: people(['ada', 'bob', 'eve', 'dan', 'fay']),
    teams: [{ name: 'Reds', members: [mail('fay')] }],
    routers: [router('R', { steps: STEPS, ...settings }, pool)],
  });

const away = (account: RoutingAccount, ...names: readonly string[]): Promise<void> =>
  account.apply({
    users: ['ada', 'bob', 'eve', 'dan', 'fay'].map((name) => ({
      email: mail(name),
      available: !names.includes(name),
    })),
  });

/** Who gets new records, one after the other. */
const take = async (account: RoutingAccount, count: number, fields: object = {}): Promise<string> => {
  const taken: string[] = [];
  for (let n = 0; n < count; n++) taken.push(await account.assign('R', await account.contact(fields)));
  return taken.join(' ');
};

const entries = async (api: ApiClient): Promise<any[]> => (await api.get('/assignments')).body.data;

describe('The steps of a router', () => {
  it('follow its pool while nobody of the one before is eligible, each with turns of its own [contract 8.1]', async () => {
    const account = await open();
    expect(await take(account, 2)).toBe('ada ada');
    await away(account, 'ada');
    expect(await take(account, 3)).toBe('eve dan eve');
    await away(account, 'ada', 'eve', 'dan');
    expect(await take(account, 1)).toBe('fay');
    await away(account, 'ada');
    expect(await take(account, 1)).toBe('dan');
    await away(account, 'ada', 'eve', 'dan', 'fay');
    expect(await take(account, 1)).toBe('no_users_available');
    const log = await entries(account.api);
    expect(log.map(({ rule, step, user }) => [rule, step, user])).toEqual([
      [null, null, null],
      [null, 1, mail('dan')],
      [null, 2, mail('fay')],
      [null, 1, mail('eve')],
      [null, 1, mail('dan')],
      [null, 1, mail('eve')],
      [null, 0, mail('ada')],
      [null, 0, mail('ada')],
    ]);
    const { body } = await account.api.get(`/assignments/${log[2].id}`);
    const eligible = body.trace.filter(({ step }: any) => step === 'eligibility');
    expect(eligible.map(({ place, team, in: there }: any) => [place, team, there])).toEqual([
      [undefined, undefined, []],
      [1, undefined, []],
      [2, undefined, [mail('fay')]],
    ]);
    expect(body).toMatchObject({ rule: null, step: 2 });
    expect(body.trace.at(-1)).toMatchObject({ step: 'distribution', place: 2, model: 'load balanced' });
  });

  it('are those of a rule that leaves its own out, with turns of the rule, and the log names both [contract 8.1]', async () => {
    const rules = [
      { name: 'Paris', trigger: condition('city', 'eq', 'Paris'), users: people(['bob']) },
      { name: 'Rome', trigger: condition('city', 'eq', 'Rome'), steps: [{ users: people(['bob']) }] },
    ];
    const account = await open({ rules });
    await away(account, 'ada', 'bob');
    expect(await take(account, 1)).toBe('eve');
    expect(await take(account, 1, { city: 'Paris' })).toBe('eve');
    expect(await take(account, 1, { city: 'Rome' })).toBe('no_users_available');
    await away(account);
    expect(await take(account, 1, { city: 'Rome' })).toBe('bob');
    expect((await entries(account.api)).map(({ rule, step }) => [rule, step])).toEqual([
      ['Rome', 1],
      ['Rome', null],
      ['Paris', 1],
      [null, 1],
    ]);
  });

  it('are simulated, in any version, and a batch takes their turns [contract 8.1]', async () => {
    const account = await open();
    const admin = await service.login(account.slug, ['manage', 'routers:read', 'dispatch']);
    await away(account, 'ada');
    const router_id = await account.routerId('R');
    const simulate = async (version: string | number) =>
      (await admin.post('/dispatch/simulate', { router_id, fields: { city: 'Oslo' }, version })).body;
    expect(await simulate('live')).toMatchObject({ user: mail('eve'), reason: 'round_robin' });
    const { status } = await admin.patch(`/routers/${router_id}`, { settings: { steps: STEPS.slice(1) } });
    expect(status).toBe(200);
    expect([await simulate('live'), await simulate('draft')]).toMatchObject([
      { user: mail('eve') },
      { user: mail('fay') },
    ]);
    const object_ids = [await account.contact(), await account.contact(), await account.contact()];
    const batch = await admin.post('/dispatch/batch', { router_id, object_ids });
    expect(batch.body.results.map(({ user }: any) => user)).toEqual([mail('eve'), mail('dan'), mail('eve')]);
    expect((await admin.post(`/routers/${router_id}/publish`, {})).status).toBe(200);
    expect(await take(account, 1)).toBe('fay');
    expect((await admin.post(`/routers/${router_id}/rollback`, { version: 1 })).status).toBe(200);
    // Turns go on where they were.
    expect(await take(account, 1)).toBe('dan');
    const then = (await admin.get(`/routers/${router_id}/versions/1`)).body.router;
    expect(then.settings.steps).toEqual(STEPS);
  });

  it('keep their turns by id or name when others come before them [contract 8.1]', async () => {
    const account = await open();
    await away(account, 'ada');
    expect(await take(account, 1)).toBe('eve');
    const more = [{ users: people(['ada']) }, { ...STEPS[0], id: 'second' }, STEPS[1]];
    await account.apply({ routers: [{ name: 'R', settings: { steps: more } }] });
    expect(await take(account, 1)).toBe('dan');
    const renamed = [{ ...more[1], name: 'Renamed' }];
    await account.apply({ routers: [{ name: 'R', settings: { steps: renamed } }] });
    expect(await take(account, 1)).toBe('eve');
    const [entry] = await entries(account.api);
    expect(entry.step).toBe(1);
  });

  it('give exact turns to dispatches that come at once [4.6, contract 8.1]', async () => {
    const account = await open();
    await away(account, 'ada');
    const ids = await Promise.all(Array.from({ length: 30 }, () => account.contact()));
    const taken = await Promise.all(ids.map((id) => account.assign('R', id)));
    expect(taken.filter((name) => name === 'eve')).toHaveLength(15);
    expect(taken.filter((name) => name === 'dan')).toHaveLength(15);
    expect((await account.log()).map(({ step }) => step)).toEqual(Array(30).fill(1));
  });

  it('get back the turn of a record that is taken from its user soon after [contract 4, contract 8.1]', async () => {
    const account = await open({ reimburse_within_minutes: 10 });
    await away(account, 'ada');
    const id = await account.contact();
    expect(await account.assign('R', id)).toBe('eve');
    const { status } = await account.api.patch(`/contacts/${id}`, { fields: { contact_owner: mail('bob') } });
    expect(status).toBe(200);
    expect(await take(account, 2)).toBe('eve dan');
  });

  it('are exported as they were applied, with the names that users and teams have now [contract 8.1]', async () => {
    const account = await open({ rules: [{ name: 'All', steps: [] }] });
    const before = await exported(account);
    const [printed] = before.routers;
    expect(printed.settings.steps).toEqual(STEPS);
    expect(printed.settings.rules).toEqual([{ name: 'All', steps: [] }]);
    await account.apply(before);
    expect(await exported(account)).toEqual(before);
    const admin = await service.login(account.slug, ['manage']);
    const { body } = await admin.get('/users');
    const id = body.data.find(({ email }: any) => email === mail('eve')).id;
    expect((await admin.patch(`/users/${id}`, { email: mail('iris') })).status).toBe(200);
    const [renamed] = (await exported(account)).routers;
    expect(renamed.settings.steps[0].users[0].email).toBe(mail('iris'));
    // Who is listed in a step alone is in use, and is gone from it when archived all the same.
    expect((await admin.delete(`/users/${id}`)).status).toBe(409);
    expect((await admin.delete(`/users/${id}?orphan=true`)).status).toBe(200);
    const [left] = (await exported(account)).routers;
    expect(left.settings.steps[0].users).toEqual(people(['dan']));
  });

  it('may be the whole pool of a router, and are refused with all that is wrong with them [contract 8.1]', async () => {
    const account = await open({}, {});
    expect(await take(account, 3)).toBe('eve dan eve');
    const wrong = [
      { users: [{ email: mail('gone') }], teams: [{ name: 'Gone' }] },
      { users: people(['ada'], { percentage: 50 }), distribution_model: 'percentage' },
      { users: people(['ada', 'ada']) },
      { after_minutes: 30, users: people(['ada']) },
    ];
    const lines = await refusals(account, { routers: [router('R', { steps: wrong })] });
    expect(lines.map((line) => line.replace(/^routers\[0\]\.settings\.steps/, '').split(':')[0])).toEqual(
      expect.arrayContaining(['[3].after_minutes']),
    );
    const rest = await refusals(account, { routers: [router('R', { steps: wrong.slice(0, 3) })] });
    expect(rest.map((line) => line.replace(/^routers\[0\]\.settings\.steps/, '').split(':')[0])).toEqual([
      '[0].users[0].email',
      '[0].teams[0].name',
      '[1].users',
      '[2].users[1].email',
    ]);
  });
});
