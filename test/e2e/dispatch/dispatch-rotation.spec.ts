// Services of its own, which are stopped and started again.
import { equalShares, tijdeman, worstDeviation } from '../../support/fairness.js';
import { mail, people, router, RoutingAccount, tally } from '../../support/routing-account.js';
import { createTestDatabase, type TestDatabase } from '../../support/database/test-database.js';
import { TestService } from '../../support/test-service.js';

let database: TestDatabase;
let service: TestService;

beforeAll(async () => {
  database = await createTestDatabase();
  service = await TestService.start({ database });
});
afterAll(async () => {
  await service.stop();
  await database.drop();
});

const TEAM = ['ada', 'bob', 'eve'];

const open = (settings: object, pool: object, file: object = {}): Promise<RoutingAccount> =>
  RoutingAccount.open(service, {
    users: people(['ada', 'bob', 'eve', 'dan', 'fay']),
    ...file,
    routers: [router('R', settings, pool)],
  });

const available = (account: RoutingAccount, name: string, on: boolean): Promise<void> =>
  account.apply({ users: [{ email: mail(name), available: on }] });

const split = (turns: string): string[] => turns.split(' ');

describe('Members who come and go', () => {
  it('are not flooded when they come back: two of the next six for one of three [contract 4]', async () => {
    const account = await open({}, { users: people(TEAM) });
    expect(await account.turns('R', 3)).toBe('ada bob eve');
    await available(account, 'ada', false);
    expect(tally(split(await account.turns('R', 30)))).toEqual({ bob: 15, eve: 15 });
    await available(account, 'ada', true);
    expect(tally(split(await account.turns('R', 6)))).toEqual({ ada: 2, bob: 2, eve: 2 });
  });

  it('are not flooded when they come back to a router with percentages [contract 4]', async () => {
    const users = [
      { email: mail('ada'), percentage: 50 },
      { email: mail('bob'), percentage: 25 },
      { email: mail('eve'), percentage: 25 },
    ];
    const account = await open({ distribution_model: 'percentage' }, { users });
    await available(account, 'ada', false);
    expect(tally(split(await account.turns('R', 20)))).toEqual({ bob: 10, eve: 10 });
    await available(account, 'ada', true);
    expect(tally(split(await account.turns('R', 20)))).toEqual({ ada: 10, bob: 5, eve: 5 });
  });

  it('keep the turn they were owed [contract 4]', async () => {
    const account = await open({}, { users: people(TEAM) });
    expect(await account.turns('R', 2)).toBe('ada bob');
    await available(account, 'eve', false);
    expect(tally(split(await account.turns('R', 4)))).toEqual({ ada: 2, bob: 2 });
    await available(account, 'eve', true);
    expect(await account.turns('R', 1)).toBe('eve');
  });

  it('start fairly when they join, however long the others have been at it [contract 4]', async () => {
    const account = await open({}, { users: people(TEAM) });
    await account.turns('R', 20);
    await account.apply({ routers: [{ name: 'R', users: people([...TEAM, 'dan']) }] });
    const turns = split(await account.turns('R', 8));
    expect(tally(turns)).toEqual({ ada: 2, bob: 2, eve: 2, dan: 2 });
    expect(turns.join(' ')).not.toContain('dan dan');
  });

  it('leave their turns to the others when they are taken off the router [contract 4]', async () => {
    const account = await open({}, { users: people(TEAM) });
    expect(await account.turns('R', 4)).toBe('ada bob eve ada');
    await account.apply({ routers: [{ name: 'R', users: people(['ada', 'bob']) }] });
    const turns = split(await account.turns('R', 10));
    expect(tally(turns)).toEqual({ ada: 5, bob: 5 });
    expect(turns[0]).toBe('bob');
  });

  it('share fairly while one is out every other time [contract 4]', async () => {
    const account = await open({}, { users: people(TEAM) });
    const taken: string[] = [];
    for (let round = 0; round < 12; round++) {
      await available(account, 'eve', round % 2 === 0);
      taken.push(await account.turns('R', 1));
    }
    // She gets a third of the six records for all three, which is two. The others share the rest.
    expect(tally(taken)).toEqual({ ada: 5, bob: 5, eve: 2 });
  });

  it('keep their place when the pool is listed in another order [contract 4]', async () => {
    const account = await open({}, { users: people(TEAM) });
    expect(await account.turns('R', 1)).toBe('ada');
    await account.apply({ routers: [{ name: 'R', users: people(['eve', 'ada', 'bob']) }] });
    expect(split(await account.turns('R', 2)).sort()).toEqual(['bob', 'eve']);
    expect(tally(split(await account.turns('R', 3)))).toEqual({ ada: 1, bob: 1, eve: 1 });
  });

  it('go on where they were after a change of the rotation type and back [contract 4]', async () => {
    const teams = [{ name: 'T', members: [mail('dan'), mail('fay')] }];
    const account = await open({}, { users: people(['ada']), teams: [{ name: 'T' }] }, { teams });
    const change = (rotation_type: string): Promise<void> =>
      account.apply({ routers: [{ name: 'R', settings: { rotation_type } }] });
    expect(await account.turns('R', 2)).toBe('ada dan');
    await change('teams');
    expect(await account.turns('R', 4)).toBe('ada dan ada fay');
    await change('users');
    expect(await account.turns('R', 1)).toBe('fay');
  });
});

describe('The rotation survives a restart of the service', () => {
  /** Stops the service and starts it again on its database. */
  async function restart(account: RoutingAccount): Promise<RoutingAccount> {
    await service.stop();
    service = await TestService.start({ database });
    return account.through(service);
  }

  it('round robin goes on with the next one [4.6, contract 4]', async () => {
    let account = await open({}, { users: people(TEAM) });
    const taken: string[] = [];
    for (const count of [2, 1, 4, 2]) {
      taken.push(await account.turns('R', count));
      account = await restart(account);
    }
    expect(taken.join(' ')).toBe('ada bob eve ada bob eve ada bob eve');
    expect((await account.rotation('R')).seq).toBe(9);
  });

  it('turns by team go on with the next member of the next team [contract 4]', async () => {
    const teams = [
      { name: 'A', members: [mail('ada'), mail('bob'), mail('eve')] },
      { name: 'B', members: [mail('dan'), mail('fay')] },
    ];
    const pool = { teams: [{ name: 'A' }, { name: 'B' }] };
    let account = await open({ rotation_type: 'teams' }, pool, { teams });
    const taken = [await account.turns('R', 3)];
    account = await restart(account);
    taken.push(await account.turns('R', 5));
    expect(taken.join(' ')).toBe('ada dan bob fay eve dan ada fay');
  });

  it('percentages stay exact [contract 4]', async () => {
    const users = [
      { email: mail('ada'), percentage: 70 },
      { email: mail('bob'), percentage: 20 },
      { email: mail('eve'), percentage: 10 },
    ];
    let account = await open({ distribution_model: 'percentage' }, { users });
    const taken: string[] = [];
    for (const count of [7, 13, 10]) {
      taken.push(...split(await account.turns('R', count)));
      account = await restart(account);
    }
    expect(tally(taken)).toEqual({ ada: 21, bob: 6, eve: 3 });
    expect(worstDeviation(taken, { ada: 0.7, bob: 0.2, eve: 0.1 })).toBeLessThanOrEqual(tijdeman(3));
  });

  it('two services on one database take turns from one rotation [contract 4]', async () => {
    const account = await open({}, { users: people(TEAM) });
    const other = await TestService.start({ database });
    try {
      const elsewhere = account.through(other);
      const taken: string[] = [];
      for (let round = 0; round < 12; round++) {
        taken.push(await (round % 3 === 0 ? elsewhere : account).turns('R', 1));
      }
      expect(taken.join(' ')).toBe(Array(4).fill('ada bob eve').join(' '));
      expect(worstDeviation(taken, equalShares(TEAM))).toBeLessThanOrEqual(tijdeman(3));
    } finally {
      await other.stop();
    }
  });
});
