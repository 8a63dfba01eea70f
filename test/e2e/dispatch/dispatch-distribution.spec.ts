import { equalShares, tijdeman, worstDeviation } from '../../support/fairness.js';
import { mail, people, router, RoutingAccount, tally } from '../../support/routing-account.js';
import { TestService } from '../../support/test-service.js';

let service: TestService;
let account: RoutingAccount;
let routers = 0;

beforeAll(async () => {
  service = await TestService.shared();
  account = await RoutingAccount.open(service, {
    users: [...people(['ada', 'bob', 'eve', 'dan', 'fay']), { email: mail('off'), available: false }],
  });
});
afterAll(() => service.stop());

/** A new router with these settings and pool. @returns its name */
async function routerOf(settings: object, pool: object): Promise<string> {
  const name = `R${++routers}`;
  await account.apply({ routers: [router(name, settings, pool)] });
  return name;
}

/** Entries of a pool with a percentage each. */
const shares = (percentages: Readonly<Record<string, number>>): { users: object[] } => ({
  users: Object.entries(percentages).map(([name, percentage]) => ({ email: mail(name), percentage })),
});

describe('round robin', () => {
  it('gives 30 records to 3 people, 10 each, in turn in the configured order [4.6, contract 4]', async () => {
    const name = await routerOf(
      { distribution_model: 'round robin' },
      { users: people(['eve', 'ada', 'bob']) },
    );
    expect(await account.turns(name, 30)).toBe(Array(10).fill('eve ada bob').join(' '));
  });

  it('is what a router does unless told otherwise [contract 4]', async () => {
    const name = await routerOf({}, { users: people(['bob', 'ada']) });
    const { body } = await account.dispatch(name, await account.contact());
    expect(body).toMatchObject({ user: mail('bob'), reason: 'round_robin' });
    expect(await account.turns(name, 3)).toBe('ada bob ada');
  });

  it('gives everything to one who is alone [contract 4]', async () => {
    expect(await account.turns(await routerOf({}, { users: people(['ada']) }), 3)).toBe('ada ada ada');
  });

  it('passes over who is not available [contract 4]', async () => {
    const name = await routerOf({}, { users: people(['ada', 'off', 'bob']) });
    expect(await account.turns(name, 4)).toBe('ada bob ada bob');
  });

  it('takes no turn for a record that it does not assign [contract 4]', async () => {
    const name = await routerOf({}, { users: people(['ada', 'bob', 'eve']) });
    const owned = await account.contact({ contact_owner: mail('dan') });
    const taken: string[] = [];
    for (let round = 0; round < 6; round++) {
      expect(await account.assign(name, owned)).toBe('owner_present');
      taken.push(await account.assign(name));
    }
    expect(taken.join(' ')).toBe('ada bob eve ada bob eve');
  });

  it('takes a turn for the same record as often as it is overwritten [contract 4]', async () => {
    const name = await routerOf({ overwrite: true }, { users: people(['ada', 'bob']) });
    const id = await account.contact();
    const taken = [];
    for (let round = 0; round < 4; round++) taken.push(await account.assign(name, id));
    expect(taken).toEqual(['ada', 'bob', 'ada', 'bob']);
    const log = (await account.log()).slice(-4);
    expect(log.map(({ previous_user }) => previous_user)).toEqual([
      null,
      mail('ada'),
      mail('bob'),
      mail('ada'),
    ]);
  });

  it('counts a user once who is listed directly and in teams [contract 4]', async () => {
    await account.apply({
      teams: [
        { name: 'East', members: [mail('bob'), mail('eve'), mail('ada')] },
        { name: 'West', members: [mail('dan'), mail('eve')] },
      ],
    });
    const pool = { users: people(['ada']), teams: [{ name: 'East' }, { name: 'West' }] };
    expect(await account.turns(await routerOf({ rotation_type: 'users' }, pool), 8)).toBe(
      'ada bob eve dan ada bob eve dan',
    );
  });

  it('ignores percentages [contract 4]', async () => {
    expect(await account.turns(await routerOf({}, shares({ ada: 90, bob: 10 })), 4)).toBe('ada bob ada bob');
  });
});

describe('percentage', () => {
  const percentage = { distribution_model: 'percentage' };

  it('gives 70, 20 and 10 of 100 records, and is never farther from it than theory allows [4.6, contract 4]', async () => {
    const name = await routerOf(percentage, shares({ ada: 70, bob: 20, eve: 10 }));
    const { body } = await account.dispatch(name, await account.contact());
    expect(body).toMatchObject({ success: true, user: mail('ada'), reason: 'percentage' });
    const taken = ['ada', ...(await account.turns(name, 99)).split(' ')];
    expect(tally(taken)).toEqual({ ada: 70, bob: 20, eve: 10 });
    const deviation = worstDeviation(taken, { ada: 0.7, bob: 0.2, eve: 0.1 });
    expect(deviation).toBeLessThanOrEqual(tijdeman(3));
  });

  it('keeps fractions of a percent [contract 4]', async () => {
    const name = await routerOf(percentage, shares({ ada: 12.5, bob: 87.5 }));
    expect(tally((await account.turns(name, 16)).split(' '))).toEqual({ ada: 2, bob: 14 });
  });

  it('gives nothing to 0 percent [contract 4]', async () => {
    const name = await routerOf(percentage, shares({ ada: 0, bob: 100 }));
    expect(await account.turns(name, 4)).toBe('bob bob bob bob');
  });

  it('assigns no one when only 0 percent is available [contract 4]', async () => {
    const name = await routerOf(percentage, shares({ ada: 0, off: 100 }));
    expect(await account.turns(name, 1)).toBe('no_users_available');
  });

  it('shares in proportion what those who are out would get [contract 4]', async () => {
    const name = await routerOf(percentage, shares({ off: 50, ada: 40, bob: 10 }));
    expect(tally((await account.turns(name, 20)).split(' '))).toEqual({ ada: 16, bob: 4 });
  });

  it('divides a team’s among its members in turns by user [contract 4]', async () => {
    await account.apply({ teams: [{ name: 'Half', members: [mail('bob'), mail('eve')] }] });
    const pool = { ...shares({ ada: 50 }), teams: [{ name: 'Half', percentage: 50 }] };
    const taken = (await account.turns(await routerOf(percentage, pool), 16)).split(' ');
    expect(tally(taken)).toEqual({ ada: 8, bob: 4, eve: 4 });
  });

  it('gives teams theirs, and their members the same each, in turns by team [contract 4]', async () => {
    await account.apply({
      teams: [
        { name: 'Big', members: [mail('bob'), mail('eve'), mail('dan')] },
        { name: 'Small', members: [mail('fay')] },
      ],
    });
    const teams = [
      { name: 'Big', percentage: 60 },
      { name: 'Small', percentage: 30 },
    ];
    const name = await routerOf({ ...percentage, rotation_type: 'teams' }, { ...shares({ ada: 10 }), teams });
    const taken = (await account.turns(name, 30)).split(' ');
    expect(tally(taken)).toEqual({ bob: 6, eve: 6, dan: 6, fay: 9, ada: 3 });
  });

  it.each([
    ['do not sum to 100', { ada: 70, bob: 29 }, 'users: percentages must sum to 100, not 99'],
    ['sum to zero', { ada: 0, bob: 0 }, 'users: percentages must sum to 100, not 0'],
  ])('is refused when shares %s [contract 4, contract 5]', async (_, percentages, message) => {
    await expect(routerOf(percentage, shares(percentages))).rejects.toThrow(
      `accounts[0].routers[0].${message}`,
    );
  });

  it('is refused when somebody has none [contract 4, contract 5]', async () => {
    const users = [{ email: mail('ada'), percentage: 100 }, { email: mail('bob') }];
    await expect(routerOf(percentage, { users })).rejects.toThrow(
      'accounts[0].routers[0].users[1].percentage: percentage is required by the distribution model percentage',
    );
  });
});

describe('rotation_type teams', () => {
  const byTeam = { rotation_type: 'teams' };
  const teams = [{ name: 'A' }, { name: 'B' }];

  beforeAll(() =>
    account.apply({
      teams: [
        { name: 'A', members: [mail('ada'), mail('bob'), mail('eve')] },
        { name: 'B', members: [mail('dan'), mail('fay')] },
        { name: 'Off', members: [mail('off')] },
        { name: 'Nobody', members: [] },
      ],
    }),
  );

  it('goes team by team, then member by member [contract 4]', async () => {
    expect(await account.turns(await routerOf(byTeam, { teams }), 12)).toBe(
      'ada dan bob fay eve dan ada fay bob dan eve fay',
    );
  });

  it('takes a user listed directly as a team of one [contract 4]', async () => {
    await account.apply({ users: people(['solo']) });
    const name = await routerOf(byTeam, { users: people(['solo']), teams });
    expect(await account.turns(name, 9)).toBe('solo ada dan solo bob fay solo eve dan');
  });

  it('gives the turn of a team to those of it who are available [contract 4]', async () => {
    await account.apply({ teams: [{ name: 'Mixed', members: [mail('off'), mail('eve')] }] });
    const name = await routerOf(byTeam, { teams: [{ name: 'Mixed' }, { name: 'B' }] });
    expect(await account.turns(name, 5)).toBe('eve dan eve fay eve');
  });

  it('passes over a team with nobody available or without members [contract 4]', async () => {
    const name = await routerOf(byTeam, { teams: [{ name: 'Off' }, { name: 'B' }, { name: 'Nobody' }] });
    expect(await account.turns(name, 4)).toBe('dan fay dan fay');
  });

  it('gives each team the same, however many members it has [contract 4]', async () => {
    const taken = (await account.turns(await routerOf(byTeam, { teams }), 24)).split(' ');
    const ofTeam = taken.map((name) => (['dan', 'fay'].includes(name) ? 'B' : 'A'));
    expect(worstDeviation(ofTeam, equalShares(['A', 'B']))).toBeLessThanOrEqual(tijdeman(2));
    expect(tally(taken)).toEqual({ ada: 4, bob: 4, eve: 4, dan: 6, fay: 6 });
  });

  it('users goes by member instead, each once a round [contract 4]', async () => {
    const name = await routerOf({ rotation_type: 'users' }, { teams });
    expect(await account.turns(name, 10)).toBe('ada bob eve dan fay ada bob eve dan fay');
  });
});
