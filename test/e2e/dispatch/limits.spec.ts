import { ageRuns } from '../../support/processes/move-runs.js';
import { mail, people, router, RoutingAccount } from '../../support/routing-account.js';
import { TestService } from '../../support/test-service.js';

const FULL = 'assignment_limit_reached';
const MINUTES = { hour: 60, day: 24 * 60, week: 7 * 24 * 60, month: 30 * 24 * 60 } as const;
const SPANS = Object.keys(MINUTES) as (keyof typeof MINUTES)[];

let service: TestService;

beforeAll(async () => {
  service = await TestService.shared();
});
afterAll(() => service.stop());

const limited = (name: string, limits: object): object => ({ email: mail(name), limits });

/** An account with these users and a router R over those of them who are named. */
const open = (
  users: readonly object[],
  names: readonly string[],
  settings: object = {},
  more: readonly object[] = [],
): Promise<RoutingAccount> =>
  RoutingAccount.open(service, {
    users,
    routers: [router('R', settings, { users: people(names) }), ...more],
  });

describe.each(SPANS)('A limit of 2 in a %s', (span) => {
  it('lets two through and no third, who then goes to others [contract 4]', async () => {
    const account = await open([limited('ada', { [span]: 2 }), ...people(['bob'])], ['ada', 'bob']);
    expect(await account.turns('R', 6)).toBe('ada bob ada bob bob bob');
    const step = (await account.log()).at(-1)!.trace.find((each) => each.step === 'eligibility');
    expect(step).toEqual({
      step: 'eligibility',
      in: [mail('bob')],
      out: [{ reasons: [`${span}_limit_reached`], users: [mail('ada')], saw: ['2/2'] }],
    });
  });

  it('rolls: there is room again once they are older than that [contract 4]', async () => {
    const account = await open([limited('ada', { [span]: 2 })], ['ada']);
    expect(await account.turns('R', 3)).toBe(`ada ada ${FULL}`);
    await ageRuns(account, MINUTES[span] - 5);
    expect(await account.turns('R', 1)).toBe(FULL);
    await ageRuns(account, MINUTES[span] + 1);
    expect(await account.turns('R', 3)).toBe(`ada ada ${FULL}`);
  });
});

describe('Limits', () => {
  it('that are reached by everyone: 200, `Assignment limit reached`, and nothing changes [4.6, 4.7, contract 4]', async () => {
    const account = await open([limited('ada', { hour: 1 }), limited('bob', { month: 0 })], ['ada', 'bob']);
    expect(await account.turns('R', 1)).toBe('ada');
    const id = await account.contact();
    const before = await account.stored();
    const { status, body } = await account.dispatch('R', id);
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        message: 'Assignment limit reached',
        success: false,
        reason: FULL,
        assignment_id: expect.any(String),
      },
    });
    expect(await account.stored()).toEqual(before);
    const run = (await account.log()).at(-1)!;
    expect(run).toMatchObject({ object_id: id, user_email: null, reason: FULL });
    expect(run.trace.slice(-2)).toEqual([
      {
        step: 'eligibility',
        in: [],
        out: [
          { reasons: ['hour_limit_reached'], users: [mail('ada')], saw: ['1/1'] },
          { reasons: ['month_limit_reached'], users: [mail('bob')], saw: ['0/0'] },
        ],
      },
      { step: 'default_user', user: null, outcome: 'not_set' },
    ]);
  });

  it.each(SPANS)('of 0 in a %s mean never [contract 4]', async (span) => {
    const account = await open([limited('ada', { [span]: 0 }), ...people(['bob'])], ['ada', 'bob']);
    expect(await account.turns('R', 3)).toBe('bob bob bob');
  });

  it('stack: all of them must have room [contract 4]', async () => {
    const account = await open([limited('ada', { hour: 1, day: 2, week: 3, month: 4 })], ['ada']);
    expect(await account.turns('R', 2)).toBe(`ada ${FULL}`);
    await ageRuns(account, MINUTES.hour + 1);
    expect(await account.turns('R', 2)).toBe(`ada ${FULL}`);
    // Each step moves all assignments out of the window of an hour, then of a day, then of a week.
    await ageRuns(account, MINUTES.hour + 1);
    expect(await account.turns('R', 1)).toBe(FULL);
    await ageRuns(account, MINUTES.day + 1);
    expect(await account.turns('R', 2)).toBe(`ada ${FULL}`);
    await ageRuns(account, MINUTES.day + 1);
    expect(await account.turns('R', 1)).toBe(FULL);
    await ageRuns(account, MINUTES.week + 1);
    expect(await account.turns('R', 2)).toBe(`ada ${FULL}`);
    await ageRuns(account, MINUTES.week + 1);
    expect(await account.turns('R', 1)).toBe(FULL);
    await ageRuns(account, MINUTES.month + 1);
    expect(await account.turns('R', 1)).toBe('ada');
  });

  it('that several have reached are told with every span in the trace [contract 4, contract 6]', async () => {
    const account = await open([limited('ada', { hour: 1, day: 1, week: 5 })], ['ada']);
    expect(await account.turns('R', 2)).toBe(`ada ${FULL}`);
    const { trace } = (await account.log()).at(-1)!;
    expect(trace.find((each) => each.step === 'eligibility').out).toEqual([
      { reasons: ['hour_limit_reached', 'day_limit_reached'], users: [mail('ada')], saw: ['1/1, 1/1'] },
    ]);
  });

  it('count what every router assigned [contract 4]', async () => {
    const others = [
      router('S', {}, { users: people(['ada']) }),
      { ...router('Deals', {}, { users: people(['ada']) }), object_type: 'deals' },
    ];
    const account = await open([limited('ada', { day: 3 })], ['ada'], {}, others);
    const deal = await account.create('deals', { deal_name: 'Big', deal_stage: 'new', pipeline: 'default' });
    expect(await account.assign('S')).toBe('ada');
    expect(await account.assign('Deals', deal)).toBe('ada');
    expect(await account.turns('R', 2)).toBe(`ada ${FULL}`);
    expect(await account.assign('S')).toBe(FULL);
  });

  it('count what account matching assigned, and keep a full owner from it [contract 4]', async () => {
    const users = [limited('ada', { day: 2 }), ...people(['bob'])];
    const account = await open(users, ['bob'], { account_matching: true });
    await account.create('companies', {
      company_name: 'Acme',
      website_url: 'acme.io',
      company_owner: mail('ada'),
    });
    const taken: string[] = [];
    for (const name of ['x', 'y', 'z']) {
      taken.push(await account.assign('R', await account.contact({ email: `${name}@acme.io` })));
    }
    expect(taken).toEqual(['ada', 'ada', 'bob']);
    const log = await account.log();
    expect(log.map(({ reason }) => reason)).toEqual(['account_matched', 'account_matched', 'round_robin']);
    expect(log.at(-1)!.trace.find((each) => each.step === 'account_matching')).toMatchObject({
      outcome: 'owner_not_eligible',
      owner: mail('ada'),
      reasons: ['day_limit_reached'],
    });
    await account.apply({ routers: [{ name: 'R', users: people(['ada']) }] });
    expect(await account.turns('R', 1)).toBe(FULL);
  });

  it('count assignments, whatever became of the records, and no runs that did not assign [contract 4]', async () => {
    const account = await open([limited('ada', { day: 2 }), ...people(['bob'])], ['ada']);
    const id = await account.contact();
    expect(await account.assign('R', id)).toBe('ada');
    for (let run = 0; run < 3; run++) expect(await account.assign('R', id)).toBe('owner_present');
    await account.api.patch(`/contacts/${id}`, { fields: { contact_owner: mail('bob') } });
    const other = await account.contact({ contact_owner: mail('ada') });
    await account.api.delete(`/contacts/${other}`);
    expect(await account.turns('R', 2)).toBe(`ada ${FULL}`);
    await account.api.delete(`/contacts/${id}`);
    expect(await account.turns('R', 1)).toBe(FULL);
  });

  it('are the account’s own: the same address elsewhere has its own count [1, contract 4]', async () => {
    const users = [limited('ada', { day: 1 })];
    const [one, two] = [await open(users, ['ada']), await open(users, ['ada'])];
    expect(await one.turns('R', 2)).toBe(`ada ${FULL}`);
    expect(await two.turns('R', 2)).toBe(`ada ${FULL}`);
  });

  it('changed in the configuration hold with the next dispatch [contract 4, contract 5]', async () => {
    const account = await open([limited('ada', { day: 1 })], ['ada']);
    expect(await account.turns('R', 2)).toBe(`ada ${FULL}`);
    await account.apply({ users: [limited('ada', { day: 3 })] });
    expect(await account.turns('R', 3)).toBe(`ada ada ${FULL}`);
    await account.apply({ users: [{ email: mail('ada'), limits: null }] });
    expect(await account.turns('R', 2)).toBe('ada ada');
  });

  it('hold for teams, rules and every model [contract 4]', async () => {
    const users = [limited('ada', { day: 1 }), limited('bob', { day: 1 })];
    const rules = [{ name: 'All', users: people(['ada', 'bob']) }];
    const shares = { users: people(['ada', 'bob'], { percentage: 50 }) };
    const account = await RoutingAccount.open(service, {
      users,
      teams: [{ name: 'Reds', members: [mail('ada'), mail('bob')] }],
      routers: [
        router('Teams', { rotation_type: 'teams' }, { teams: [{ name: 'Reds' }] }),
        router('Rules', { rules }),
        router('Shares', { distribution_model: 'percentage' }, shares),
        router('Loads', { distribution_model: 'load balanced' }, { users: people(['ada', 'bob']) }),
      ],
    });
    for (const name of ['Teams', 'Rules', 'Shares', 'Loads']) {
      const turns = (await account.turns(name, 3)).split(' ');
      expect(turns.slice(0, 2).sort()).toEqual(['ada', 'bob']);
      expect(turns[2]).toBe(FULL);
      await ageRuns(account, MINUTES.day + 1);
    }
  });
});

describe('When everyone has reached a limit, the backup', () => {
  it('gets the record, though the backup’s own limit is reached too [contract 4]', async () => {
    const users = [limited('ada', { day: 1 }), limited('eve', { day: 0 })];
    const account = await open(users, ['ada'], { default_user: mail('eve') });
    expect(await account.turns('R', 3)).toBe('ada eve eve');
    expect((await account.log()).map(({ reason }) => reason)).toEqual([
      'round_robin',
      'default_user',
      'default_user',
    ]);
  });

  it('uses up a limit of the backup in the rotation [contract 4]', async () => {
    const users = [limited('ada', { day: 1 }), limited('eve', { day: 2 })];
    const account = await open(users, ['ada'], { default_user: mail('eve') }, [
      router('S', {}, { users: people(['eve']) }),
    ]);
    expect(await account.turns('R', 3)).toBe('ada eve eve');
    expect(await account.assign('S')).toBe(FULL);
  });

  it('gets nothing where default assignment is disabled [4.6, contract 4]', async () => {
    const settings = { default_user: mail('eve'), disable_default_assignment: true };
    const account = await open([limited('ada', { day: 1 }), ...people(['eve'])], ['ada'], settings);
    expect(await account.turns('R', 2)).toBe(`ada ${FULL}`);
  });
});

describe('Whether a limit or an absence is to blame', () => {
  it.each([
    ['full, and another is off', { bob: { available: false } }, FULL],
    ['full and off', { ada: { available: false } }, 'no_users_available'],
    ['full outside working hours', { ada: { working_hours: [] } }, 'no_users_available'],
  ])('somebody is %s [contract 4]', async (_, changed, reason) => {
    const account = await open([limited('ada', { day: 1 }), limited('bob', { day: 0 })], ['ada', 'bob']);
    expect(await account.turns('R', 1)).toBe('ada');
    const users = Object.entries(changed).map(([name, user]) => ({ email: mail(name), ...user }));
    await account.apply({ users });
    if (!('bob' in changed)) await account.apply({ routers: [{ name: 'R', users: people(['ada']) }] });
    expect(await account.turns('R', 1)).toBe(reason);
  });
});
