// A second service on the database of the first.
import { mail, people, router, RoutingAccount, tally } from '../../support/routing-account.js';
import { TestService } from '../../support/test-service.js';

const FULL = 'assignment_limit_reached';
const COUNT = 40;
const REGION = {
  object_type: 'contacts',
  internal_name: 'region',
  type: 'enumeration',
  options: ['emea', 'apac', 'na'].map((internal_name) => ({ internal_name })),
};

let service: TestService;
let second: TestService;

beforeAll(async () => {
  service = await TestService.shared();
  second = await TestService.start({ database: service.database });
});
afterAll(async () => {
  await second.stop();
  await service.stop();
});

const capacity = (more: object): object => ({
  name: 'Open',
  object_type: 'contacts',
  field: 'region',
  values: ['emea', 'apac'],
  ...more,
});

/** An account with a router R over ada, bob and eve; Reds are ada and bob, Blues bob and eve. */
const open = (
  capacities: readonly object[],
  settings: object = {},
  file: object = {},
): Promise<RoutingAccount> =>
  RoutingAccount.open(service, {
    users: people(['ada', 'bob', 'eve']),
    teams: [
      { name: 'Reds', members: [mail('ada'), mail('bob')] },
      { name: 'Blues', members: [mail('bob'), mail('eve')] },
    ],
    fields: [REGION],
    capacities,
    routers: [router('R', settings, { users: people(['ada', 'bob', 'eve']) })],
    ...file,
  });

const justAda = { routers: [router('R', {}, { users: people(['ada']) })] };
const upTo = (max: number): object => capacity({ users: [{ email: mail('ada'), max }] });

/** Returns who gets new contacts of these regions, one after the other. */
async function from(account: RoutingAccount, ...regions: readonly (string | null)[]): Promise<string> {
  const taken: string[] = [];
  for (const region of regions) taken.push(await account.assign('R', await account.contact({ region })));
  return taken.join(' ');
}

describe('A capacity', () => {
  it('caps how many active records with one of its values a user may own [contract 4]', async () => {
    const account = await open([
      capacity({
        users: [
          { email: mail('ada'), max: 2 },
          { email: mail('bob'), max: 1 },
        ],
      }),
    ]);
    expect(await from(account, 'emea', 'apac', 'emea', 'apac', 'emea', 'emea')).toBe(
      'ada bob eve ada eve eve',
    );
    const { trace } = (await account.log()).at(-1)!;
    expect(trace.find((each) => each.step === 'eligibility')).toEqual({
      step: 'eligibility',
      in: [mail('eve')],
      out: [
        { reasons: ['capacity_reached'], users: [mail('ada'), mail('bob')], saw: ['Open 2/2', 'Open 1/1'] },
      ],
    });
  });

  it('that everyone has reached: 200, `Assignment limit reached`, or the backup [4.6, contract 4]', async () => {
    const account = await open([upTo(1)], {}, justAda);
    expect(await from(account, 'emea')).toBe('ada');
    const { status, body } = await account.dispatch('R', await account.contact({ region: 'apac' }));
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        message: 'Assignment limit reached',
        success: false,
        reason: FULL,
        assignment_id: expect.any(String),
      },
    });
    await account.apply({ routers: [{ name: 'R', settings: { default_user: mail('eve') } }] });
    expect(await from(account, 'apac')).toBe('eve');
  });

  it('counts and caps only records with one of the values [contract 4]', async () => {
    const account = await open([upTo(1)], {}, justAda);
    expect(await from(account, 'na', null, 'na', 'emea', 'apac', 'na', null)).toBe(
      `ada ada ada ada ${FULL} ada ada`,
    );
  });

  it('counts records of its type only, however they came to their owner [contract 4]', async () => {
    const account = await open([upTo(2)], {}, justAda);
    await account.create('companies', { company_name: 'Acme', company_owner: mail('ada') });
    await account.contact({ region: 'emea', contact_owner: mail('ada') });
    await account.contact({ region: 'apac', contact_owner: mail('bob') });
    expect(await from(account, 'emea', 'emea')).toBe(`ada ${FULL}`);
  });

  it('of 0 means never [contract 4]', async () => {
    const account = await open([upTo(0)]);
    expect(await from(account, 'emea', 'emea', 'emea', 'emea', 'na')).toBe('bob eve bob eve ada');
  });

  it('of a team is one for each member; the lowest of several teams, and the own entry before them [contract 4]', async () => {
    const teams = [
      { name: 'Reds', max: 2 },
      { name: 'Blues', max: 1 },
    ];
    const byTeams = await open([capacity({ teams })]);
    expect(await from(byTeams, ...Array<string>(5).fill('emea'))).toBe(`ada bob eve ada ${FULL}`);
    const own = await open([capacity({ teams, users: [{ email: mail('bob'), max: 3 }] })]);
    expect(await from(own, ...Array<string>(7).fill('emea'))).toBe(`ada bob eve ada bob bob ${FULL}`);
  });

  it('of a team follows its members [contract 4, contract 5]', async () => {
    const account = await open([capacity({ teams: [{ name: 'Blues', max: 0 }] })]);
    expect(await from(account, 'emea', 'emea')).toBe('ada ada');
    await account.apply({ teams: [{ name: 'Blues', members: [mail('eve')] }] });
    expect(await from(account, 'emea')).toBe('bob');
  });

  it('stacks with others and with limits: all must have room [contract 4]', async () => {
    const both = [upTo(2), { ...upTo(3), name: 'All', values: ['emea', 'apac', 'na'] }];
    const account = await open(both, {}, justAda);
    expect(await from(account, 'emea', 'na', 'apac', 'na', 'emea')).toBe(`ada ada ada ${FULL} ${FULL}`);
    await account.apply({ users: [{ email: mail('ada'), limits: { day: 4 } }] });
    const [oldest] = await account.log();
    await account.api.delete(`/contacts/${oldest!.object_id}`);
    expect(await from(account, 'emea', 'emea')).toBe(`ada ${FULL}`);
    expect((await account.log()).at(-1)!.trace.find((each) => each.step === 'eligibility').out).toEqual([
      { reasons: ['day_limit_reached', 'capacity_reached'], users: [mail('ada')], saw: ['4/4, All 3/3'] },
    ]);
  });

  it('has room again when a record gets another value or owner, loses either, or is archived [4.4, 4.5, contract 4]', async () => {
    const account = await open([upTo(1)], {}, justAda);
    const frees: ((id: string) => Promise<unknown>)[] = [
      (id) => account.api.patch(`/contacts/${id}`, { fields: { region: 'na' } }),
      (id) => account.api.patch(`/contacts/${id}`, { fields: { region: null } }),
      (id) => account.api.patch(`/contacts/${id}`, { fields: { contact_owner: mail('eve') } }),
      (id) => account.api.patch(`/contacts/${id}`, { fields: { contact_owner: null } }),
      (id) => account.api.delete(`/contacts/${id}`),
    ];
    for (const free of frees) {
      const id = await account.contact({ region: 'emea' });
      expect(await account.assign('R', id)).toBe('ada');
      expect(await from(account, 'apac')).toBe(FULL);
      // The record changes from one counted value to another, so the user still has no capacity left.
      await account.api.patch(`/contacts/${id}`, { fields: { region: 'apac' } });
      expect(await from(account, 'emea')).toBe(FULL);
      await free(id);
    }
    expect(await from(account, 'emea', 'emea')).toBe(`ada ${FULL}`);
  });

  it('leaves a record with whoever has it already [contract 4]', async () => {
    const account = await open(
      [upTo(1)],
      { overwrite: true },
      { routers: [router('R', { overwrite: true }, { users: people(['ada']) })] },
    );
    const id = await account.contact({ region: 'emea' });
    expect(await account.assign('R', id)).toBe('ada');
    expect(await account.assign('R', id)).toBe('ada');
    expect(await from(account, 'emea')).toBe(FULL);
  });

  it('counts by the owner field that the router sets [contract 4]', async () => {
    const fields = [REGION, { object_type: 'contacts', internal_name: 'manager', type: 'user' }];
    const routers = [router('R', { owner_field: 'manager' }, { users: people(['ada']) })];
    const account = await open([upTo(1)], {}, { fields, routers });
    await account.contact({ region: 'emea', contact_owner: mail('ada') });
    expect(await from(account, 'emea', 'emea')).toBe(`ada ${FULL}`);
  });

  it('works for every object type: open deals by stage [contract 4]', async () => {
    const deals = { ...capacity({}), object_type: 'deals', field: 'deal_stage', values: ['new'] };
    const routers = [{ ...router('R', {}, { users: people(['ada']) }), object_type: 'deals' }];
    const account = await open([{ ...deals, users: [{ email: mail('ada'), max: 1 }] }], {}, { routers });
    const deal = (): Promise<string> =>
      account.create('deals', { deal_name: 'Big', deal_stage: 'new', pipeline: 'default' });
    const [one, two] = [await deal(), await deal()];
    expect(await account.assign('R', one)).toBe('ada');
    expect(await account.assign('R', two)).toBe(FULL);
    const { body } = await account.api.patch(`/deals/${one}`, { fields: { deal_stage: 'nope' } });
    const [, won] = /(closed_won|won)/.exec(body.message) ?? [];
    expect((await account.api.patch(`/deals/${one}`, { fields: { deal_stage: won } })).status).toBe(200);
    expect(await account.assign('R', two)).toBe('ada');
  });

  it('is the account’s own [1, contract 4]', async () => {
    const [one, two] = [await open([upTo(1)], {}, justAda), await open([upTo(1)], {}, justAda)];
    expect(await from(one, 'emea', 'emea')).toBe(`ada ${FULL}`);
    expect(await from(two, 'emea', 'emea')).toBe(`ada ${FULL}`);
  });
});

describe.each(['round robin', 'load balanced'])(
  '40 dispatches at the same time by two routers: %s',
  (model) => {
    it('through two services fill each capacity and exceed none [contract 4]', async () => {
      const max = { ada: 7, bob: 5, eve: 3 };
      const users = Object.entries(max).map(([name, most]) => ({ email: mail(name), max: most }));
      const routers = ['R', 'S'].map((name) =>
        router(name, { distribution_model: model }, { users: people(['ada', 'bob', 'eve']) }),
      );
      const account = await open([capacity({ users })], {}, { routers });
      const ids = await Promise.all(
        Array.from({ length: COUNT }, (_, index) =>
          account.contact({ region: index % 3 === 0 ? 'apac' : 'emea' }),
        ),
      );
      const seats = [account, account.through(second)];
      await Promise.all(seats.map((seat) => seat.routerId('R')));
      const answers = await Promise.all(
        ids.map((id, index) => seats[index % 2]!.assign(index % 4 < 2 ? 'R' : 'S', id)),
      );
      expect(tally(answers)).toEqual({ ...max, [FULL]: COUNT - 15 });
      const { records } = await account.stored();
      const owners = records.flatMap((record: any) => record.fields.contact_owner ?? []);
      expect(tally(owners)).toEqual({ [mail('ada')]: 7, [mail('bob')]: 5, [mail('eve')]: 3 });
      expect(await from(account, 'emea', 'na')).toMatch(new RegExp(`^${FULL} (ada|bob|eve)$`));
    });
  },
);
