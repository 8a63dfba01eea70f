import { mail, people, router, RoutingAccount, tally } from '../../support/routing-account.js';
import { TestService } from '../../support/test-service.js';
import { condition } from '../../support/database/trigger-table.js';

let service: TestService;

beforeAll(async () => {
  service = await TestService.shared();
});
afterAll(() => service.stop());

const TEAM = ['ada', 'bob', 'eve'];
const german = { name: 'DE', trigger: condition('country', 'eq', 'DE'), users: people(['ada']) };

const open = (settings: object, more: object = {}, file: object = {}): Promise<RoutingAccount> =>
  RoutingAccount.open(service, {
    users: people([...TEAM, 'dan']),
    routers: [router('R', settings, more)],
    ...file,
  });

/**
 * The answers of a simulation, a dispatch and a batch of equal new contacts, without what differs for each.
 */
async function answers(account: RoutingAccount, fields: object): Promise<any[]> {
  const [one, two] = [await account.contact(fields), await account.contact(fields)];
  const { trace, ...simulated } = (await account.simulate('R', { object_id: one })).body;
  expect(simulated).not.toHaveProperty('assignment_id');
  const dispatched = (await account.dispatch('R', one)).body;
  const [batched] = (await account.batch('R', [two])).body.results;
  const log = await account.log();
  expect(log.slice(-2).map(({ id }) => id)).toEqual([dispatched.assignment_id, batched.assignment_id]);
  expect(log.at(-2)!.trace).toEqual(trace);
  const said = ({ message, success, reason }: any) => ({ message, success, reason });
  return [simulated, dispatched, batched].map(said);
}
const three = (answer: object): object[] => [answer, answer, answer];

describe('The owner of the company gets a contact', () => {
  it('where no rule matches, and where a rule refuses [contract 4]', async () => {
    const refusing = { name: 'US', trigger: condition('country', 'eq', 'US'), refuse: true };
    const account = await open({ account_matching: true, rules: [german, refusing] });
    await account.create('companies', {
      company_name: 'Big',
      website_url: 'bigco.example',
      company_owner: mail('eve'),
    });
    for (const country of ['FR', 'US', 'DE']) {
      const id = await account.contact({ email: `x@${country}.bigco.example`, country });
      expect((await account.simulate('R', { object_id: id })).body).toMatchObject({ user: mail('eve') });
      expect((await account.dispatch('R', id)).body).toMatchObject({
        user: mail('eve'),
        reason: 'account_matched',
      });
    }
    expect(await account.assign('R', await account.contact({ country: 'FR' }))).toBe('no_rule_matched');
  });
});

describe('A rule with refuse', () => {
  it('assigns nobody, in a dispatch, a batch and a simulation [contract 4, contract 6]', async () => {
    const rules = [{ name: 'Partners', trigger: condition('country', 'eq', 'XX'), refuse: true }];
    const account = await open({ rules, default_user: mail('dan') }, { users: people(TEAM) });
    expect(await answers(account, { country: 'XX' })).toEqual(
      three({ message: 'Trigger did not match', success: false, reason: 'rule_refused' }),
    );
    expect(await account.turns('R', 1)).toBe('ada');
    const { body } = await account.api.get(`/routers/${await account.routerId('R')}`);
    expect(body.settings.rules).toMatchObject([{ name: 'Partners', refuse: true }]);
  });
});

describe('Where no rule matches and the router has no pool', () => {
  it('the backup gets the record if the router says so [contract 4, contract 6]', async () => {
    const account = await open({
      rules: [german],
      default_user: mail('dan'),
      no_rule_matched: 'default_user',
    });
    expect(await answers(account, { country: 'FR' })).toMatchObject(
      three({ success: true, reason: 'default_user' }),
    );
    await account.apply({ users: people(['dan'], { available: false }) });
    await account.apply({ routers: [{ name: 'R', settings: { default_user_must_be_available: true } }] });
    expect(await answers(account, { country: 'FR' })).toMatchObject(
      three({ success: false, reason: 'no_rule_matched' }),
    );
  });
});

describe('A backup who must be available', () => {
  const settings = { default_user: mail('dan'), default_user_must_be_available: true };

  it('has limits like everybody else, which hold across requests at the same time [contract 4]', async () => {
    const users = [...people(TEAM, { available: false }), { email: mail('dan'), limits: { day: 3 } }];
    const account = await open(settings, { users: people(TEAM) }, { users });
    const ids = await account.contacts(8);
    const taken = await Promise.all(ids.map((id) => account.assign('R', id)));
    expect(tally(taken)).toEqual({ dan: 3, assignment_limit_reached: 5 });
  });

  it('gets nothing while switched off [contract 4, contract 6]', async () => {
    const account = await open(
      settings,
      { users: people(TEAM) },
      { users: people([...TEAM, 'dan'], { available: false }) },
    );
    expect(await answers(account, {})).toMatchObject(three({ success: false, reason: 'no_users_available' }));
    expect((await account.log()).at(-1)!.trace.at(-1)).toEqual({
      step: 'default_user',
      user: mail('dan'),
      outcome: 'not_available',
      reasons: ['switched_off'],
    });
  });
});

describe('A run that chooses the present owner', () => {
  it('changes nothing, takes no turn and uses no limit, however often it runs [contract 4]', async () => {
    const users = [...people(['bob', 'eve', 'dan']), { email: mail('ada'), limits: { day: 3 } }];
    const account = await open({ overwrite: true }, { users: people(['ada']) }, { users });
    const id = await account.contact();
    const first = (await account.dispatch('R', id)).body;
    const before = await account.stored();
    for (let n = 0; n < 4; n++) {
      const { body } = await account.dispatch('R', id);
      const { assignment_id: entry, ...again } = body;
      const { assignment_id: _, ...same } = first;
      expect(again).toEqual({ ...same, reason: 'already_owner' });
      expect((await account.api.get(`/assignments/${entry}`)).body).toMatchObject({
        user: mail('ada'),
        previous_user: mail('ada'),
        reason: 'already_owner',
      });
    }
    expect(await account.stored()).toEqual(before);
    expect((await account.batch('R', [id, id])).body.results).toMatchObject([
      { success: true, reason: 'already_owner' },
      { success: true, reason: 'already_owner' },
    ]);
    const given = await account.api.get(`/assignments?user=${encodeURIComponent(mail('ada'))}`);
    expect(given.body.pagination.count).toBe(1);
    // Two of three are left, and the last of them is still kept when it runs again.
    const ids = await account.contacts(3);
    expect(await account.assignEach('R', ids)).toBe('ada ada assignment_limit_reached');
    expect((await account.dispatch('R', ids[1]!)).body).toMatchObject({ reason: 'already_owner' });
  });

  it('leaves the turn to whose it is [contract 4]', async () => {
    const account = await open({ overwrite: true }, { users: people(TEAM) });
    const id = await account.contact({ contact_owner: mail('ada') });
    expect((await account.dispatch('R', id)).body.reason).toBe('already_owner');
    expect((await account.dispatch('R', id)).body.reason).toBe('already_owner');
    expect(await account.turns('R', 4)).toBe('ada bob eve ada');
  });

  it('chosen by account matching, changes nothing either [contract 4]', async () => {
    const account = await open({ account_matching: true, overwrite: true }, { users: people(TEAM) });
    await account.create('companies', {
      company_name: 'X',
      website_url: 'x.example',
      company_owner: mail('dan'),
    });
    const id = await account.contact({ email: 'a@x.example' });
    expect((await account.dispatch('R', id)).body.reason).toBe('account_matched');
    const before = await account.stored();
    expect((await account.dispatch('R', id)).body).toMatchObject({
      reason: 'already_owner',
      user: mail('dan'),
    });
    expect((await account.simulate('R', { object_id: id })).body).toMatchObject({ reason: 'already_owner' });
    expect(await account.stored()).toEqual(before);
  });
});

describe('A rule that is renamed', () => {
  const rule = (values: object): object => ({ ...german, users: people(['ada', 'bob']), ...values });
  const renamed = (account: RoutingAccount, values: object): Promise<void> =>
    account.apply({ routers: [{ name: 'R', settings: { rules: [rule(values)] } }] });
  const next = async (account: RoutingAccount): Promise<string> =>
    account.assign('R', await account.contact({ country: 'DE' }));

  it('keeps its rotation by its id, also where it got the id before its new name [contract 4]', async () => {
    const account = await open({ rules: [rule({ name: 'one' })] });
    expect(await next(account)).toBe('ada');
    await renamed(account, { name: 'one', id: 'r1' });
    await renamed(account, { name: 'uno', id: 'r1' });
    expect(await next(account)).toBe('bob');
    await renamed(account, { name: 'eins', id: 'r1' });
    expect(await next(account)).toBe('ada');
    const { body } = await account.api.get(`/routers/${await account.routerId('R')}`);
    expect(Object.keys(body.settings.rules[0]).sort()).toEqual(['id', 'name', 'trigger', 'users']);
  });

  it('starts anew where it has no id [contract 4]', async () => {
    const account = await open({ rules: [rule({ name: 'one' })] });
    expect(await next(account)).toBe('ada');
    await renamed(account, { name: 'uno' });
    expect(await next(account)).toBe('ada');
  });
});

describe('A configuration file', () => {
  it.each([
    ['a router that lists nobody', { users: [], teams: [] }, {}, 'routers[0].users'],
    [
      'a rule that lists nobody',
      {},
      { rules: [{ name: 'A', users: [], teams: [] }] },
      'settings.rules[0].users',
    ],
    [
      'a rule that refuses and lists somebody',
      {},
      { rules: [{ ...german, refuse: true }] },
      'settings.rules[0].users',
    ],
    [
      'two rules with one id',
      {},
      {
        rules: [
          { ...german, id: '1' },
          { name: 'B', id: '1' },
        ],
      },
      'settings.rules[1].id',
    ],
    ['a word for no rule that is none', {}, { no_rule_matched: 'pool' }, 'settings.no_rule_matched'],
  ])(
    'is refused with %s, and the place is named [contract 4, contract 5]',
    async (_, pool, settings, place) => {
      await expect(open(settings, pool)).rejects.toThrow(place);
    },
  );

  it('empties the pool of a router that has rules, one list at a time [contract 5]', async () => {
    const account = await open({ rules: [german] }, { users: people(TEAM) });
    expect(await account.turns('R', 1)).toBe('ada');
    await account.apply({ routers: [{ name: 'R', users: [] }] });
    expect(await account.turns('R', 1)).toBe('no_rule_matched');
  });
});
