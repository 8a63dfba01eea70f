import { expectError, expectInvalid } from '../../support/error-object.js';
import { sql } from '../../support/database/stored-records.js';
import { UNKNOWN_ID } from '../../support/record-types.js';
import { mail, people, router, RoutingAccount } from '../../support/routing-account.js';
import { TestService } from '../../support/test-service.js';

let service: TestService;
let account: RoutingAccount;

beforeAll(async () => (service = await TestService.shared()));
afterAll(() => service.stop());

const gold = (...names: string[]) => ({ name: 'Gold', trigger: { groups: [] }, users: people(names) });

beforeEach(async () => {
  account = await RoutingAccount.open(service, {
    users: people(['ada', 'bob', 'eve']),
    teams: [{ name: 'Sales', members: [mail('ada'), mail('bob')] }],
    routers: [
      router('R', { overwrite: true, reimburse_within_minutes: 60 }, { users: people(['ada', 'bob', 'eve']) }),
      router('Ruled', { rules: [gold('bob', 'eve')] }, { users: people(['ada']) }),
      router('Teams', { rotation_type: 'teams' }, { users: people(['eve']), teams: [{ name: 'Sales' }] }),
      router('Load', { distribution_model: 'load balanced' }, { users: people(['ada', 'bob']) }),
    ],
  });
}); // prettier-ignore

const read = async (name: string, query = ''): Promise<any> => {
  const { status, body } = await account.api.get(`/routers/${await account.routerId(name)}/fairness${query}`);
  expect(status).toBe(200);
  return body;
};
const only = async (name: string, query = ''): Promise<any> => (await read(name, query)).rotations[0];
const of = (rotation: any, key: string): object =>
  Object.fromEntries(rotation.members.map((each: any) => [each.user.split('@')[0], each[key]]));

const total = ({ members }: any): number =>
  members.reduce((sum: number, { turns }: { turns: number }) => sum + turns, 0);

describe('GET /routers/{id}/fairness', () => {
  it('says what each had, what was fair, and how far that was apart [contract 11.1]', async () => {
    await account.turns('R', 4);
    const body = await read('R');
    expect(Date.parse(body.to) - Date.parse(body.from)).toBe(30 * 86_400_000);
    const [rotation] = body.rotations;
    expect(rotation).toMatchObject({
      rule: null, step: 0, name: 'R', model: 'round robin', bound: { kind: 'fixed', value: 0.75 }, kept: true,
    }); // prettier-ignore
    expect(rotation).not.toHaveProperty('from');
    expect(of(rotation, 'turns')).toEqual({ ada: 2, bob: 1, eve: 1 });
    expect(of(rotation, 'fair_share')).toEqual({ ada: 1.333333, bob: 1.333333, eve: 1.333333 });
    expect(of(rotation, 'weight')).toEqual({ ada: 0.333333, bob: 0.333333, eve: 0.333333 });
    expect(of(rotation, 'credit')).toEqual({ ada: -0.666667, bob: 0.333333, eve: 0.333333 });
    expect(of(rotation, 'absent')).toEqual({ ada: 0, bob: 0, eve: 0 });
    expect(of(rotation, 'longest_run')).toEqual({ ada: 1, bob: 1, eve: 1 });
    const runs = (await account.api.get('/assignments')).body.data.reverse();
    expect(rotation.members[0].last_at).toBe(runs[3].created_at);
    expect(rotation.history.map(({ at }: any) => at)).toEqual(runs.map((each: any) => each.created_at));
    expect(rotation.history[0].credits).toEqual({
      [mail('ada')]: -0.666667,
      [mail('bob')]: 0.333333,
      [mail('eve')]: 0.333333,
    });
    expect(Math.abs(rotation.worst.credit)).toBe(0.666667);
  });

  it('bounds the turns of those who had them, also where they have left since [contract 11.1]', async () => {
    await account.turns('R', 4);
    await account.apply({ routers: [router('R', { overwrite: true }, { users: people(['ada']) })] });
    const { members, worst, bound } = await only('R');
    expect(members.map(({ user }: any) => user)).toEqual([mail('ada')]);
    expect(bound).toEqual({ kind: 'fixed', value: 0.75 });
    expect(Math.abs(worst.credit)).toBeLessThanOrEqual(bound.value);
  });

  it('counts who was away, who was given back, and who had turns in a row; nothing bounds that [contract 11.1]', async () => {
    await account.apply({ users: [...people(['bob', 'eve'], { available: false })] });
    const [contact] = [await account.contact()];
    await account.assign('R', contact);
    await account.turns('R', 2);
    await account.apply({ users: people(['bob', 'eve'], { available: true }) });
    await account.api.patch(`/contacts/${contact}`, { fields: { contact_owner: mail('bob') } });
    await account.turns('R', 1);
    const rotation = await only('R');
    expect(rotation.bound).toEqual({ kind: 'changing', value: null });
    expect(of(rotation, 'turns')).toMatchObject({ ada: 4 });
    expect(of(rotation, 'returned')).toEqual({ ada: 1, bob: 0, eve: 0 });
    expect(of(rotation, 'absent')).toEqual({ ada: 0, bob: 3, eve: 3 });
    expect(of(rotation, 'longest_run')).toMatchObject({ ada: 4 });
    expect(of(rotation, 'fair_share')).toEqual({ ada: 3.333333, bob: 0.333333, eve: 0.333333 });
  });

  it('is by rotation: of rules, of steps, of teams, and of models without credits [contract 11.1]', async () => {
    await account.turns('Ruled', 3);
    await account.turns('Teams', 3);
    await account.turns('Load', 2);
    const names = (body: any) => body.rotations.map(({ rule, name }: any) => [rule, name]);
    expect(names(await read('Ruled'))).toEqual([[null, 'Ruled'], ['Gold', 'Gold']]);
    const [ruled] = (await read('Ruled', '?rule=Gold')).rotations;
    expect(of(ruled, 'turns')).toEqual({ bob: 2, eve: 1 });
    expect((await read('Ruled', '?rule=None')).rotations).toEqual([]);
    const teams = await only('Teams');
    expect(of(teams, 'turns')).toEqual({ ada: 1, bob: 0, eve: 2 });
    expect(of(teams, 'fair_share')).toEqual({ ada: 0.5, bob: 0.5, eve: 1.5 });
    const load = await only('Load');
    expect(of(load, 'credit')).toEqual({ ada: null, bob: null });
    expect(of(load, 'fair_share')).toEqual({ ada: null, bob: null });
    expect(of(load, 'turns')).toEqual({ ada: 1, bob: 1 });
  }); // prettier-ignore

  it('knows who has another e-mail since, and says what is not kept [contract 11.1]', async () => {
    await account.turns('R', 3);
    const admin = await service.login(account.slug, ['manage']);
    const { data } = (await admin.get('/users?q=ada')).body;
    await admin.patch(`/users/${data[0].id}`, { email: mail('lady') });
    const renamed = await only('R');
    expect(of(renamed, 'turns')).toEqual({ lady: 1, bob: 1, eve: 1 });
    expect(of(renamed, 'fair_share')).toEqual({ lady: 1, bob: 1, eve: 1 });
    const [oldest] = (await account.api.get('/assignments?limit=100')).body.data.slice(-1);
    await sql(service, 'DELETE FROM assignment_traces WHERE id = $1', [oldest.id]);
    const cut = await only('R');
    expect(cut).toMatchObject({ kept: false });
    expect(total(cut)).toBe(2);
    expect(Date.parse(cut.from)).toBeGreaterThanOrEqual(Date.parse(oldest.created_at));
  });

  it('is of a period, and thins its history out [contract 11.1]', async () => {
    await account.turns('R', 250);
    expect((await only('R')).history).toHaveLength(200);
    const { data } = (await account.api.get('/assignments?limit=2')).body;
    const since = new Date(Date.parse(data[1].created_at) - 1).toISOString();
    const turns = total(await only('R', `?from=${since}`));
    expect(turns).toBeGreaterThanOrEqual(2);
    expect(turns).toBeLessThan(250);
    expect(of(await only('R', '?to=2020-01-01'), 'turns')).toEqual({ ada: 0, bob: 0, eve: 0 });
  });

  it('refuses what is no period, and knows no other router [contract 1, contract 11.1]', async () => {
    const path = `/routers/${await account.routerId('R')}/fairness`;
    expectInvalid(await account.api.get(`${path}?from=2026-02-01&to=2026-01-01`), ['to', 'to must be later than from']);
    expectInvalid(await account.api.get(`${path}?from=x&rule=`), ['from', 'from must be an ISO 8601 date and time'], ['rule', 'rule must not be empty']);
    for (const id of [UNKNOWN_ID, 'x'])
      expectError(await account.api.get(`/routers/${id}/fairness`), 404, { message: 'Router not found' });
  }); // prettier-ignore
});
