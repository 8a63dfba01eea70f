// Services of its own, at their default limits of time: clients come again where these are met.
import type { ApiResponse } from '../support/api-client.js';
import {
  mail,
  nameOf,
  people,
  router,
  RoutingAccount,
  tally,
  type LoggedRun,
} from '../support/routing-account.js';
import { TestService } from '../support/test-service.js';

const TEAM = ['ada', 'bob', 'eve'];
const REFUSED = { message: 'The router can not overwrite', success: false, reason: 'owner_present' };

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

/** Dispatches one record many times at once, by the routers in turn and through both services in turn. */
async function dispatchAll(
  account: RoutingAccount,
  services: readonly TestService[],
  routers: readonly string[],
  id: string,
  count: number,
): Promise<ApiResponse[]> {
  const through = services.map((service) => account.through(service));
  await Promise.all(through.map((each) => each.routerId(routers[0]!)));
  return Promise.all(
    Array.from({ length: count }, (_, index) => {
      const seat = Math.floor(index / routers.length) % through.length;
      return through[seat]!.dispatch(routers[index % routers.length]!, id);
    }),
  );
}

/** The e-mail of the record's owner. */
const ownerOf = async (account: RoutingAccount, id: string): Promise<string> =>
  (await account.api.get(`/contacts/${id}`)).body.contact_owner;

const assigned = (log: readonly LoggedRun[]): LoggedRun[] => log.filter((run) => run.user_email !== null);

const open = (settings: object, ...names: readonly string[]): Promise<RoutingAccount> =>
  RoutingAccount.open(first, {
    users: people(TEAM),
    routers: names.map((name) => router(name, settings, { users: people(TEAM) })),
  });

describe.each([
  ['one service', () => [first]],
  ['two services on one database', () => [first, second]],
])('Dispatches of one record at the same time: %s', (_, services) => {
  it('10 of them give it one owner once, where the router can not overwrite [4.6, contract 4]', async () => {
    const account = await open({ overwrite: false }, 'R');
    const id = await account.contact();
    const responses = await dispatchAll(account, services(), ['R'], id, 10);
    expect(responses.map(({ status }) => status)).toEqual(Array(10).fill(200));
    const successes = responses.filter(({ body }) => body.success === true);
    const refusals = responses.filter(({ body }) => body.success !== true);
    expect(successes.map(({ body }) => body.user)).toEqual([mail('ada')]);
    const refused = { ...REFUSED, user: mail('ada'), assignment_id: expect.any(String) };
    expect(refusals.map(({ body }) => body)).toEqual(Array(9).fill(refused));

    const log = await account.log();
    expect(log).toHaveLength(10);
    expect(new Set(responses.map(({ body }) => body.assignment_id))).toEqual(
      new Set(log.map(({ id: entry }) => entry)),
    );
    expect(assigned(log)).toMatchObject([
      { id: successes[0]!.body.assignment_id, user_email: mail('ada'), previous_user: null },
    ]);
    expect(log[0]!.user_email).toBe(mail('ada'));
    expect(await ownerOf(account, id)).toBe(mail('ada'));
    expect((await account.rotation('R')).seq).toBe(1);
  });

  it('20 of them by two routers that can not overwrite give it one owner once [contract 4]', async () => {
    const account = await open({ overwrite: false }, 'R', 'S');
    const id = await account.contact();
    const responses = await dispatchAll(account, services(), ['R', 'S'], id, 20);
    expect(responses.map(({ status }) => status)).toEqual(Array(20).fill(200));
    const outcomes = tally(responses.map(({ body }) => body.reason));
    expect(outcomes).toEqual({ round_robin: 1, owner_present: 19 });

    const log = await account.log();
    expect(log).toHaveLength(20);
    expect(assigned(log)).toMatchObject([{ id: log[0]!.id, user_email: mail('ada'), previous_user: null }]);
    expect(await ownerOf(account, id)).toBe(mail('ada'));
    const turns = [await account.rotation('R'), await account.rotation('S')].map(({ seq }) => seq);
    expect(turns.sort()).toEqual([0, 1]);
  });

  it('20 of them by two routers that overwrite take a turn or keep the owner, and the last one owns it [contract 4]', async () => {
    const account = await open({ overwrite: true }, 'R', 'S');
    const id = await account.contact();
    const responses = await dispatchAll(account, services(), ['R', 'S'], id, 20);
    expect(responses.map(({ status, body }) => [status, body.success])).toEqual(Array(20).fill([200, true]));
    const log = await account.log();
    expect(new Set(log.map((run) => run.id))).toEqual(
      new Set(responses.map(({ body }) => body.assignment_id)),
    );
    // Each assignment has the owner of the one before it as its previous owner.
    const owners = log.map((run) => run.user_email ?? run.previous_user);
    expect(log.map((run) => run.previous_user)).toEqual([null, ...owners.slice(0, -1)]);
    expect(await ownerOf(account, id)).toBe(owners.at(-1));
    for (const name of ['R', 'S']) {
      const routerId = await account.routerId(name);
      const taken = assigned(log).filter((run) => run.router_id === routerId);
      expect(taken.map((run) => nameOf(run.user_email!))).toEqual(taken.map((_, n) => TEAM[n % TEAM.length]));
      expect((await account.rotation(name)).seq).toBe(taken.length);
    }
    const { body } = await account.api.get(`/contacts/${id}?properties=contact_owner_assigned_date`);
    expect(body.contact_owner_assigned_date).toBe(assigned(log).at(-1)!.created_at.toISOString());
  });

  it('several records, each several times, get one owner each [contract 4]', async () => {
    const account = await open({ overwrite: false }, 'R');
    const ids = await account.contacts(12);
    const responses = (
      await Promise.all(ids.map((id) => dispatchAll(account, services(), ['R'], id, 5)))
    ).flat();
    expect(tally(responses.map(({ body }) => body.reason))).toEqual({ round_robin: 12, owner_present: 48 });
    const log = assigned(await account.log());
    expect(new Set(log.map((run) => run.object_id))).toEqual(new Set(ids));
    expect(log.map((run) => nameOf(run.user_email!))).toEqual(Array(4).fill(TEAM).flat());
  });
});
