import { mail, people, router, RoutingAccount, type LoggedRun } from '../../support/routing-account.js';
import { TestService } from '../../support/test-service.js';
import { condition } from '../../support/database/trigger-table.js';

const TEAM = ['ada', 'bob', 'eve', 'dan', 'fay'];

let service: TestService;

beforeAll(async () => {
  service = await TestService.shared();
});
afterAll(() => service.stop());

const city = (name: string): object => condition('city', 'eq', name);
const rule = (name: string, names: readonly string[] | null, more: object = {}): object => ({
  name,
  trigger: city(name),
  ...(names === null ? {} : { users: people(names) }),
  ...more,
});

/** An account with a router R that has these rules, and with the teams Reds (ada, bob) and Blues (eve). */
const open = (rules: readonly object[], pool: object = {}, settings: object = {}): Promise<RoutingAccount> =>
  RoutingAccount.open(service, {
    users: people(TEAM),
    teams: [
      { name: 'Reds', members: [mail('ada'), mail('bob')] },
      { name: 'Blues', members: [mail('eve')] },
    ],
    routers: [router('R', { rules, ...settings }, pool)],
  });

/** Returns who gets new contacts from these cities, one after the other. */
async function from(account: RoutingAccount, ...cities: readonly string[]): Promise<string> {
  const taken: string[] = [];
  for (const name of cities) taken.push(await account.assign('R', await account.contact({ city: name })));
  return taken.join(' ');
}

const lastRun = async (account: RoutingAccount): Promise<LoggedRun> => (await account.log()).at(-1)!;
const step = ({ trace }: LoggedRun, name: string): any => trace.find((each) => each.step === name);

describe('The first rule whose trigger matches', () => {
  it('decides, and the answer is that of any dispatch [4.6, contract 4]', async () => {
    const account = await open([rule('Paris', ['ada']), rule('Rome', ['bob'])], { users: people(['dan']) });
    const id = await account.contact({ city: 'Rome' });
    const { status, body } = await account.dispatch('R', id);
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        message: 'The object was successfully assigned',
        success: true,
        user: mail('bob'),
        field_name: 'contact_owner',
        owner_assigned_at: expect.any(String),
        assignment_id: (await lastRun(account)).id,
        reason: 'round_robin',
      },
    });
    expect((await account.api.get(`/contacts/${id}`)).body.contact_owner).toBe(mail('bob'));
    expect(await from(account, 'Paris', 'Rome', 'Paris')).toBe('ada bob ada');
  });

  it('is the first in the order of the list, where several match [contract 4]', async () => {
    const all = { name: 'All', users: people(['eve']) };
    const [paris, rome] = [rule('Paris', ['ada']), rule('Rome', ['bob'])];
    expect(await from(await open([paris, all, rome]), 'Paris', 'Rome', 'Oslo')).toBe('ada eve eve');
    expect(await from(await open([all, paris, rome]), 'Paris', 'Rome')).toBe('eve eve');
    expect(await from(await open([rome, paris, all]), 'Paris', 'Rome', 'Oslo')).toBe('ada bob eve');
  });

  it('is found anew with every record, by what it holds then [contract 4]', async () => {
    const account = await open([rule('Paris', ['ada']), rule('Rome', ['bob'])], {}, { overwrite: true });
    const id = await account.contact({ city: 'Paris' });
    expect(await account.assign('R', id)).toBe('ada');
    await account.api.patch(`/contacts/${id}`, { fields: { city: 'Rome' } });
    expect(await account.assign('R', id)).toBe('bob');
  });

  it('is not left for a later one when nobody of its pool is available [contract 4]', async () => {
    const account = await open([rule('Paris', ['ada']), { name: 'All', users: people(['bob']) }]);
    await account.apply({ users: [{ email: mail('ada'), available: false }] });
    expect(await from(account, 'Paris', 'Rome')).toBe('no_users_available bob');
    await account.apply({ routers: [{ name: 'R', settings: { default_user: mail('fay') } }] });
    expect(await from(account, 'Paris')).toBe('fay');
    expect((await lastRun(account)).reason).toBe('default_user');
  });

  it('is asked only after the router’s own trigger has matched [contract 4]', async () => {
    const trigger = condition('country', 'eq', 'France');
    const account = await open([rule('Paris', ['ada'])], { users: people(['dan']) }, { trigger });
    expect(await from(account, 'Paris')).toBe('trigger_not_matched');
    const id = await account.contact({ city: 'Paris', country: 'France' });
    expect(await account.assign('R', id)).toBe('ada');
  });

  it('is asked only after the router may run at all, and does not lift its settings [contract 4]', async () => {
    const account = await open([rule('Paris', ['ada'])]);
    const owned = await account.contact({ city: 'Paris', contact_owner: mail('fay') });
    expect(await account.assign('R', owned)).toBe('owner_present');
    await account.apply({ routers: [{ name: 'R', published: false }] });
    expect(await from(account, 'Paris')).toBe('router_unpublished');
  });
});

describe('A rule', () => {
  it('has a rotation of its own, whatever the others and the router do [contract 4]', async () => {
    const two = ['ada', 'bob'];
    const account = await open([rule('Paris', two), rule('Rome', two)], { users: people(two) });
    expect(await from(account, 'Paris', 'Rome', 'Oslo', 'Paris', 'Rome', 'Oslo')).toBe(
      'ada ada ada bob bob bob',
    );
    expect(await from(account, 'Paris', 'Paris', 'Rome', 'Paris', 'Oslo')).toBe('ada bob ada ada ada');
  });

  it('keeps its rotation when the order of the rules changes, or another comes or goes [contract 4]', async () => {
    const [paris, rome, oslo] = ['Paris', 'Rome', 'Oslo'].map((name) => rule(name, ['ada', 'bob', 'eve']));
    const account = await open([paris!, rome!]);
    const setRules = (...rules: unknown[]): Promise<void> =>
      account.apply({ routers: [{ name: 'R', settings: { rules } }] });
    expect(await from(account, 'Paris', 'Paris', 'Rome')).toBe('ada bob ada');
    await setRules(oslo, rome, paris);
    expect(await from(account, 'Paris', 'Rome', 'Oslo')).toBe('eve bob ada');
    await setRules(paris);
    expect(await from(account, 'Paris')).toBe('ada');
    await setRules(rome, paris);
    expect(await from(account, 'Rome', 'Paris')).toBe('eve bob');
  });

  it('without users and teams has the router’s pool, in a rotation of its own [contract 4]', async () => {
    const account = await open([rule('Paris', null)], { users: people(['ada', 'bob']) });
    expect(await from(account, 'Oslo', 'Paris', 'Paris', 'Oslo')).toBe('ada ada bob bob');
  });

  it('without users and teams in a router without them has nobody [contract 4]', async () => {
    const account = await open([rule('Paris', null)]);
    expect(await from(account, 'Paris', 'Oslo')).toBe('no_users_available no_rule_matched');
  });

  it('without a model has the router’s [contract 4]', async () => {
    const split = [
      { email: mail('ada'), percentage: 75 },
      { email: mail('bob'), percentage: 25 },
    ];
    const account = await open(
      [rule('Paris', null, { users: split })],
      {},
      { distribution_model: 'percentage' },
    );
    const turns = await from(account, ...Array<string>(8).fill('Paris'));
    expect(turns.split(' ').filter((name) => name === 'ada')).toHaveLength(6);
    expect((await lastRun(account)).reason).toBe('percentage');
  });

  it('with a model does not follow the router’s [contract 4]', async () => {
    const account = await open(
      [rule('Paris', ['ada', 'bob'], { distribution_model: 'load balanced' }), rule('Rome', ['ada', 'bob'])],
      { users: [{ email: mail('dan'), percentage: 100 }] },
      { distribution_model: 'round robin' },
    );
    await account.contact({ contact_owner: mail('ada') });
    await account.contact({ contact_owner: mail('ada') });
    expect(await from(account, 'Paris', 'Paris', 'Rome', 'Rome')).toBe('bob bob ada bob');
    const reasons = (await account.log()).map(({ reason }) => reason);
    expect(reasons).toEqual(['load_balanced', 'load_balanced', 'round_robin', 'round_robin']);
  });

  it('without a rotation type has the router’s, and with one its own [contract 4]', async () => {
    const teams = [{ name: 'Reds' }, { name: 'Blues' }];
    const rules = [rule('Paris', null, { teams }), rule('Rome', null, { teams, rotation_type: 'users' })];
    const account = await open(rules, {}, { rotation_type: 'teams' });
    expect(await from(account, ...Array<string>(4).fill('Paris'))).toBe('ada eve bob eve');
    expect(await from(account, ...Array<string>(4).fill('Rome'))).toBe('ada bob eve ada');
  });

  it('without a trigger matches all [contract 4]', async () => {
    const account = await open([{ name: 'All', users: people(['eve']) }], { users: people(['dan']) });
    expect(await from(account, 'Paris', 'Rome')).toBe('eve eve');
  });
});

describe('No rule matches', () => {
  it('and the router’s own pool gets the record [contract 4]', async () => {
    const users = { users: people(['dan', 'fay']) };
    expect(await from(await open([rule('Paris', ['ada'])], users), 'Oslo', 'Rome', 'Oslo')).toBe(
      'dan fay dan',
    );
    const teams = { teams: [{ name: 'Reds' }] };
    expect(await from(await open([rule('Paris', ['eve'])], teams), 'Oslo', 'Rome')).toBe('ada bob');
  });

  it('and the router has no pool: `no_rule_matched`, logged, and nothing changes [4.6, contract 4]', async () => {
    const account = await open(
      [rule('Paris', ['ada']), rule('Rome', ['bob'])],
      {},
      { default_user: mail('fay') },
    );
    const id = await account.contact({ city: 'Oslo' });
    const before = await account.stored();
    const { status, body } = await account.dispatch('R', id);
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        message: 'Trigger did not match',
        success: false,
        reason: 'no_rule_matched',
        assignment_id: expect.any(String),
      },
    });
    expect(await account.stored()).toEqual(before);
    expect(await account.log()).toMatchObject([
      { object_id: id, user_email: null, reason: 'no_rule_matched', message: 'Trigger did not match' },
    ]);
  });
});

describe('The trace of a router with rules', () => {
  it('names the rule that decided, what it saw, and why those before it did not [contract 4, contract 6]', async () => {
    const rules = [
      rule('Paris', ['ada']),
      { name: 'Scored', trigger: { groups: [{ conditions: [{ field: 'city', operator: 'is_empty' }] }] } },
      rule('Rome', ['bob', 'eve']),
      rule('Oslo', ['dan']),
    ];
    const account = await open(rules, { users: people(['fay']) });
    expect(await from(account, 'rome')).toBe('bob');
    const run = await lastRun(account);
    expect(run.trace.map((each) => each.step)).toEqual([
      'trigger',
      'overwrite',
      'rules',
      'eligibility',
      'distribution',
    ]);
    expect(step(run, 'rules')).toEqual({
      step: 'rules',
      matched: 'Rome',
      groups: [[{ field: 'city', operator: 'eq', value: 'Rome', saw: 'rome', held: true }]],
      passed_over: 2,
      first_passed_over: [
        ['Paris', 'city eq Paris'],
        ['Scored', 'city is_empty'],
      ],
      saw: [['city', 'rome']],
    });
    expect(step(run, 'eligibility')).toEqual({
      step: 'eligibility',
      in: [mail('bob'), mail('eve')],
      out: [],
    });
    expect(step(run, 'distribution')).toMatchObject({ model: 'round robin', chosen: mail('bob') });
  });

  it('says whose turn it was where none matched [contract 4, contract 6]', async () => {
    const account = await open([rule('Paris', ['ada'])], { users: people(['fay']) });
    const passed = { passed_over: 1, first_passed_over: [['Paris', 'city eq Paris']] };
    expect(await from(account, 'Oslo')).toBe('fay');
    expect(step(await lastRun(account), 'rules')).toEqual({
      step: 'rules',
      matched: null,
      ...passed,
      saw: [['city', 'Oslo']],
      otherwise: 'own_pool',
    });
    await account.apply({ routers: [{ name: 'R', users: [] }] });
    expect(await account.assign('R')).toBe('no_rule_matched');
    expect((await lastRun(account)).trace.at(-1)).toEqual({
      step: 'rules',
      matched: null,
      ...passed,
      saw: [['city', null]],
      otherwise: 'nobody',
    });
  });
});
