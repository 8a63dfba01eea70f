// Services of its own, at their default limits of time: clients come again where these are met.
import { equalShares, tijdeman, worstDeviation } from '../support/fairness.js';
import { mail, nameOf, people, router, RoutingAccount, tally } from '../support/routing-account.js';
import { storm } from '../support/storm.js';
import { TestService } from '../support/test-service.js';

const TEAM = ['ada', 'bob', 'eve', 'dan'];
/** A multiple of 20, of which each percentage is a whole number. */
const RECORDS = 20 * storm(3);

let first: TestService;
let second: TestService;

beforeAll(async () => {
  first = await TestService.start({ obedient: true });
  second = await TestService.start({ obedient: true, database: first.database });
});
afterAll(async () => {
  await second.stop();
  await first.stop();
});

/** The first of the turns that go on in this order. */
const turns = (order: readonly string[], count: number): string[] =>
  Array.from({ length: count }, (_, n) => order[n % order.length]!);

const open = (settings: object, pool: object, file: object = {}): Promise<RoutingAccount> =>
  RoutingAccount.open(first, { users: people(TEAM), ...file, routers: [router('R', settings, pool)] });

/**
 * Dispatches new contacts all at once, alternately through each of the services. @returns the user of each
 * contact
 */
async function dispatchAll(through: readonly RoutingAccount[], count: number): Promise<Map<string, string>> {
  const ids = await through[0]!.contacts(count);
  await Promise.all(through.map((each) => each.routerId('R')));
  const got = await Promise.all(
    ids.map(async (id, index) => [id, await through[index % through.length]!.assign('R', id)] as const),
  );
  return new Map(got);
}

/** Asserts that log, owners, rotation and answers agree. @returns the names in the order of the log */
async function consistentLog(
  account: RoutingAccount,
  answers: ReadonlyMap<string, string>,
): Promise<string[]> {
  const log = await account.log();
  expect(log).toHaveLength(answers.size);
  expect(new Map(log.map((run) => [run.object_id, nameOf(run.user_email ?? '')]))).toEqual(answers);

  const { records } = await account.stored();
  const owners = new Map(
    records.map((record: any) => [record.id, nameOf(String(record.fields.contact_owner))]),
  );
  expect(owners).toEqual(answers);
  for (const run of log) {
    const record: any = records.find((each: any) => each.id === run.object_id);
    expect(record.fields.contact_owner_assigned_date).toBe(run.created_at.toISOString());
    expect(record.updated_at).toEqual(run.created_at);
  }
  expect((await account.rotation('R')).seq).toBe(answers.size);
  return log.map((run) => nameOf(run.user_email ?? ''));
}

/**
 * Returns the state of each member in the rotation: credit in whole assignments, and the number of the last
 * turn.
 */
async function standings(account: RoutingAccount): Promise<unknown[]> {
  const members = (await account.rotation('R')).ledgers.get('users')!;
  return [...members.values()];
}

describe.each([
  ['one service', () => [first]],
  ['two services on one database', () => [first, second]],
])('Dispatches of one router at the same time: %s', (_, services) => {
  const throughAll = (account: RoutingAccount): RoutingAccount[] =>
    services().map((service) => account.through(service));

  it('give everybody exactly the same, fair at every moment of the log [4.6, contract 4]', async () => {
    const account = await open({}, { users: people(TEAM) });
    const answers = await dispatchAll(throughAll(account), RECORDS);
    const each = RECORDS / TEAM.length;
    expect(tally(answers.values())).toEqual({ ada: each, bob: each, eve: each, dan: each });

    const names = await consistentLog(account, answers);
    expect(worstDeviation(names, equalShares(TEAM))).toBeLessThanOrEqual(tijdeman(4));
    expect(names).toEqual(turns(TEAM, RECORDS));
    expect(await standings(account)).toEqual(
      TEAM.map((name) => ({ credit: 0n, last: names.lastIndexOf(name) + 1 })),
    );
  });

  it('keep percentages exact, at every moment of the log [contract 4]', async () => {
    const shares = { ada: 0.5, bob: 0.3, eve: 0.15, dan: 0.05 };
    const users = Object.entries(shares).map(([name, share]) => ({
      email: mail(name),
      percentage: share * 100,
    }));
    const account = await open({ distribution_model: 'percentage' }, { users });
    const answers = await dispatchAll(throughAll(account), RECORDS);
    expect(tally(answers.values())).toEqual(
      Object.fromEntries(Object.entries(shares).map(([name, share]) => [name, Math.round(RECORDS * share)])),
    );
    const names = await consistentLog(account, answers);
    expect(worstDeviation(names, shares)).toBeLessThanOrEqual(tijdeman(4));
  });

  it('keep turns by team exact [contract 4]', async () => {
    const teams = [
      { name: 'A', members: [mail('ada'), mail('bob'), mail('eve')] },
      { name: 'B', members: [mail('dan')] },
    ];
    const pool = { teams: [{ name: 'A' }, { name: 'B' }] };
    const account = await open({ rotation_type: 'teams' }, pool, { teams });
    const answers = await dispatchAll(throughAll(account), RECORDS);
    const names = await consistentLog(account, answers);
    expect(names).toEqual(turns(['ada', 'dan', 'bob', 'dan', 'eve', 'dan'], RECORDS));
  });

  it('go on exactly after those before them [contract 4]', async () => {
    const account = await open({}, { users: people(TEAM) });
    const answers = new Map<string, string>();
    const counts = [7, 1, storm(22), storm(30)];
    for (const count of counts) {
      for (const [id, name] of await dispatchAll(throughAll(account), count)) answers.set(id, name);
    }
    const all = counts.reduce((sum, count) => sum + count);
    expect(await consistentLog(account, answers)).toEqual(turns(TEAM, all));
  });
});

describe('Routers at the same time', () => {
  const EACH = storm(16, 6);

  it('each keep a rotation of their own, whatever the others do [4.6, contract 4]', async () => {
    const names = ['R0', 'R1', 'R2', 'R3', 'R4'];
    const account = await RoutingAccount.open(first, {
      users: people(TEAM),
      routers: names.map((name) => router(name, {}, { users: people(TEAM) })),
    });
    const ids = await account.contacts(names.length * EACH);
    await account.routerId('R0');
    const other = account.through(second);
    await other.routerId('R0');
    await Promise.all(
      ids.map((id, index) => (index % 2 === 0 ? account : other).assign(names[index % names.length]!, id)),
    );
    const log = await account.log();
    for (const name of names) {
      const router_id = await account.routerId(name);
      const taken = log
        .filter((run) => run.router_id === router_id)
        .map((run) => nameOf(run.user_email ?? ''));
      expect(taken).toEqual(turns(TEAM, EACH));
    }
  });

  it('of two accounts do not wait for each other’s people [1, contract 4]', async () => {
    const accounts = await Promise.all([1, 2].map(() => open({}, { users: people(TEAM) })));
    const answers = await Promise.all(accounts.map((account) => dispatchAll([account], EACH)));
    for (const [index, account] of accounts.entries()) {
      expect(await consistentLog(account, answers[index]!)).toEqual(turns(TEAM, EACH));
    }
  });
});
