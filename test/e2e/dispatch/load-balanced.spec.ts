// A second service on the database of the first.
import { archiveUser } from '../../support/archive-user.js';
import { mail, nameOf, people, router, RoutingAccount, tally } from '../../support/routing-account.js';
import { TestService } from '../../support/test-service.js';

const TEAM = ['ada', 'bob', 'eve'];
const LOADS = { distribution_model: 'load balanced' };

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

const open = (
  file: object = {},
  settings: object = {},
  pool: object = { users: people(TEAM) },
): Promise<RoutingAccount> =>
  RoutingAccount.open(service, {
    users: people([...TEAM, 'dan']),
    ...file,
    routers: [router('R', { ...LOADS, ...settings }, pool)],
  });

/** Gives contacts to users by PATCH. @returns their ids */
function give(
  account: RoutingAccount,
  owned: Readonly<Record<string, number>>,
  fields: object = {},
): Promise<string[]> {
  return Promise.all(
    Object.entries(owned).flatMap(([name, count]) =>
      Array.from({ length: count }, () => account.contact({ contact_owner: mail(name), ...fields })),
    ),
  );
}

/** Returns the last step of the last assignment in the log. */
const distribution = async (account: RoutingAccount): Promise<any> =>
  (await account.log()).at(-1)!.trace.at(-1);

describe('load balanced', () => {
  it('gives a record to whoever owns the fewest active ones [4.6, contract 4]', async () => {
    const account = await open();
    await give(account, { ada: 3, bob: 1, eve: 2 });
    const { body } = await account.dispatch('R', await account.contact());
    expect(body).toMatchObject({ success: true, user: mail('bob'), reason: 'load_balanced' });
    expect(await distribution(account)).toEqual({
      step: 'distribution',
      model: 'load balanced',
      among: 'users',
      chosen: mail('bob'),
      rule: 'fewest_owned',
      columns: ['candidate', 'owned', 'last'],
      rows: [
        [mail('ada'), 3, 0],
        [mail('bob'), 1, 0],
        [mail('eve'), 2, 0],
      ],
    });
    // Everybody except ada has two. Eve has not had a turn yet, bob has.
    expect(await account.turns('R', 2)).toBe('eve bob');
  });

  it('gives ties to the least recently assigned, then in the configured order [contract 4]', async () => {
    const account = await open({}, {}, { users: people(['eve', 'ada', 'bob']) });
    expect(await account.turns('R', 6)).toBe('eve ada bob eve ada bob');
    for (const { object_id } of await account.log()) await account.api.delete(`/contacts/${object_id}`);
    await give(account, { eve: 1 });
    expect(await account.turns('R', 4)).toBe('ada bob eve ada');
  });

  it('does not count archived records, those of other types, and those without an owner [3, 4.5, contract 4]', async () => {
    const account = await open();
    const archived = await give(account, { bob: 4 });
    for (const id of archived) await account.api.delete(`/contacts/${id}`);
    for (let made = 0; made < 3; made++) {
      await account.create('companies', { company_name: `Acme ${made}`, company_owner: mail('bob') });
      await account.create('deals', {
        deal_name: 'Big',
        deal_stage: 'new',
        pipeline: 'default',
        deal_owner: mail('bob'),
      });
      await account.contact();
    }
    await give(account, { ada: 1, eve: 1 });
    expect(await account.assign('R')).toBe('bob');
  });

  it('counts records however they came to their owner, and whoever wrote the address how [3, contract 4]', async () => {
    const account = await open({ routers: [] });
    await account.apply({ routers: [router('S', {}, { users: people(['ada']) })] });
    await account.turns('S', 2);
    await account.contact({ contact_owner: mail('BOB').toUpperCase() });
    const patched = await account.contact();
    await account.api.patch(`/contacts/${patched}`, { fields: { contact_owner: ` ${mail('bob')} `.trim() } });
    await give(account, { eve: 1 });
    expect(await account.assign('R')).toBe('eve');
    expect((await distribution(account)).rows).toEqual([
      [mail('ada'), 2, 0],
      [mail('bob'), 2, 0],
      [mail('eve'), 1, 0],
    ]);
  });

  it('notices at once when records change hands or are archived [4.4, 4.5, contract 4]', async () => {
    const account = await open();
    const [one, two] = await give(account, { ada: 2, bob: 2, eve: 3 });
    await account.api.patch(`/contacts/${one}`, { fields: { contact_owner: mail('eve') } });
    expect(await account.assign('R')).toBe('ada');
    await account.api.delete(`/contacts/${two}`);
    expect(await account.assign('R')).toBe('ada');
    await account.api.patch(`/contacts/${one}`, { fields: { contact_owner: null } });
    expect((await account.simulate('R', { fields: {} })).body.trace.at(-1).rows).toEqual([
      [mail('ada'), 2, 2],
      [mail('bob'), 2, 0],
      [mail('eve'), 3, 0],
    ]);
    expect(await account.assign('R')).toBe('bob');
  });

  it('counts a custom owner field where the router sets that one [contract 4]', async () => {
    const field = { object_type: 'contacts', internal_name: 'manager', type: 'user' };
    const account = await open({ fields: [field] }, { owner_field: 'manager' });
    await give(account, { bob: 5, eve: 5 });
    await account.contact({ manager: mail('ada') });
    const managed = await account.contact({ manager: mail('bob') });
    const id = await account.contact();
    const { body } = await account.dispatch('R', id);
    expect(body).toMatchObject({ user: mail('eve'), field_name: 'manager' });
    await account.api.delete(`/contacts/${managed}`);
    expect(await account.turns('R', 2)).toBe('bob ada');
    expect((await account.api.get(`/contacts/${id}?properties=manager`)).body).toMatchObject({
      manager: mail('eve'),
      contact_owner: null,
    });
  });

  it('does not count the record itself for the owner it has [contract 4]', async () => {
    const account = await open({}, { overwrite: true });
    const [id] = await give(account, { ada: 1, bob: 1, eve: 1 });
    for (const _ of [1, 2]) {
      expect((await account.dispatch('R', id!)).body).toMatchObject({
        user: mail('ada'),
        reason: 'already_owner',
      });
    }
    expect((await account.simulate('R', { fields: {} })).body.trace.at(-1).rows).toEqual([
      [mail('ada'), 1, 0],
      [mail('bob'), 1, 0],
      [mail('eve'), 1, 0],
    ]);
  });

  it('passes over whoever is out, however little they have [contract 4]', async () => {
    const account = await open({
      users: [{ email: mail('ada'), available: false }, ...people(['bob', 'eve'])],
    });
    await give(account, { bob: 2, eve: 1 });
    await archiveUser(account, mail('eve'));
    expect(await account.turns('R', 2)).toBe('bob bob');
  });

  it('takes turns by team after the mean of what the members own [contract 4]', async () => {
    const teams = [
      { name: 'Reds', members: [mail('ada'), mail('bob')] },
      { name: 'Blues', members: [mail('eve')] },
    ];
    const pool = { teams: [{ name: 'Reds' }, { name: 'Blues' }] };
    const account = await open({ teams }, { rotation_type: 'teams' }, pool);
    await give(account, { ada: 3, bob: 1, eve: 1 });
    // The mean of the Reds is 2, of the Blues 1. Then both are 2, and the last turn of the Reds is older. Bob
    // has fewer than ada.
    expect(await account.turns('R', 2)).toBe('eve bob');
  });
});

describe('load balanced with capacities', () => {
  const REGION = {
    object_type: 'contacts',
    internal_name: 'region',
    type: 'enumeration',
    options: [{ internal_name: 'emea' }, { internal_name: 'apac' }],
  };
  const capacity = (max: Readonly<Record<string, number>>): object => ({
    name: 'Open',
    object_type: 'contacts',
    field: 'region',
    values: ['emea'],
    users: Object.entries(max).map(([name, most]) => ({ email: mail(name), max: most })),
  });
  const emea = (account: RoutingAccount): Promise<string> => account.contact({ region: 'emea' });

  it('gives a record to the lowest owned/max [contract 4]', async () => {
    const account = await open({ fields: [REGION], capacities: [capacity({ ada: 10, bob: 4, eve: 2 })] });
    await give(account, { ada: 4, bob: 2, eve: 1 }, { region: 'emea' });
    expect(await account.assign('R', await emea(account))).toBe('ada');
    expect(await distribution(account)).toMatchObject({
      rule: 'lowest_utilization',
      columns: ['candidate', 'owned', 'max', 'last'],
      rows: [
        [mail('ada'), 4, 10, 0],
        [mail('bob'), 2, 4, 0],
        [mail('eve'), 1, 2, 0],
      ],
    });
    // All use half of their capacity now. The share of the user with the larger max then rises more slowly.
    const taken: string[] = [];
    for (let run = 0; run < 9; run++) taken.push(await account.assign('R', await emea(account)));
    expect(taken.slice(0, 3)).toEqual(['bob', 'eve', 'ada']);
    expect(tally(taken)).toEqual({ ada: 5, bob: 2, eve: 1, assignment_limit_reached: 1 });
  });

  it('counts only records with one of the values, and compares all records where the capacity does not apply [contract 4]', async () => {
    const account = await open({ fields: [REGION], capacities: [capacity({ ada: 10, bob: 10, eve: 10 })] });
    await give(account, { bob: 1, eve: 1 }, { region: 'emea' });
    await give(account, { ada: 5 }, { region: 'apac' });
    expect(await account.assign('R', await emea(account))).toBe('ada');
    expect(await account.assign('R', await account.contact({ region: 'apac' }))).toBe('bob');
    expect(await distribution(account)).toMatchObject({
      rule: 'fewest_owned',
      rows: [
        [mail('ada'), 6, 1],
        [mail('bob'), 1, 0],
        [mail('eve'), 1, 0],
      ],
    });
  });

  it('compares the records owned where somebody has no maximum [contract 4]', async () => {
    const account = await open({ fields: [REGION], capacities: [capacity({ ada: 100, bob: 2 })] });
    await give(account, { ada: 2, bob: 1, eve: 2 }, { region: 'emea' });
    expect(await account.assign('R', await emea(account))).toBe('bob');
    expect((await distribution(account)).rule).toBe('fewest_owned');
    // Bob has no capacity left, and eve has no maximum.
    expect(await account.assign('R', await emea(account))).toBe('ada');
  });
});

describe('50 dispatches at the same time, load balanced', () => {
  it.each([
    ['one router', ['R']],
    ['two routers', ['R', 'S']],
  ])('through two services by %s end within 1 of each other [contract 4]', async (_, names) => {
    const account = await RoutingAccount.open(service, {
      users: people(TEAM),
      routers: names.map((name) => router(name, LOADS, { users: people(TEAM) })),
    });
    // Ada starts with more, and the others get records until they have as many.
    await give(account, { ada: 10 });
    const ids = await Promise.all(Array.from({ length: 50 }, () => account.contact()));
    const seats = [account, account.through(second)];
    await Promise.all(seats.map((seat) => seat.routerId('R')));
    await Promise.all(
      ids.map((id, index) => seats[index % 2]!.assign(names[Math.floor(index / 2) % names.length]!, id)),
    );
    const { records } = await account.stored();
    const counts = tally(records.map((record: any) => nameOf(record.fields.contact_owner)));
    expect(Object.values(counts).sort()).toEqual([20, 20, 20]);
    expect(tally((await account.log()).map((run) => nameOf(run.user_email!)))).toEqual({
      ada: 10,
      bob: 20,
      eve: 20,
    });
  });
});
