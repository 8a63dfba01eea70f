// A second service on the database of the first.
import { mail, people, router, RoutingAccount, tally } from '../../support/routing-account.js';
import { TestService } from '../../support/test-service.js';

const FULL = 'assignment_limit_reached';
const COUNT = 40;

let first: TestService;
let second: TestService;

beforeAll(async () => {
  first = await TestService.shared();
  second = await TestService.start({ database: first.database });
});
afterAll(async () => {
  await second.stop();
  await first.stop();
});

/** Returns an account with two routers over the same three users, whose limits are 7, 5 and 3. */
const open = (settings: object): Promise<RoutingAccount> =>
  RoutingAccount.open(first, {
    users: [
      { email: mail('ada'), limits: { hour: 7, day: 30 } },
      { email: mail('bob'), limits: { day: 5 } },
      { email: mail('eve'), limits: { month: 3, window: 'rolling' } },
    ],
    routers: ['R', 'S'].map((name) => router(name, settings, { users: people(['ada', 'bob', 'eve']) })),
  });

/** Creates contacts, and returns the account through both services. */
async function crowd(account: RoutingAccount): Promise<{ ids: string[]; seats: RoutingAccount[] }> {
  const ids = await Promise.all(Array.from({ length: COUNT }, () => account.contact()));
  const seats = [account, account.through(second)];
  await Promise.all(seats.map((seat) => seat.routerId('R')));
  return { ids, seats };
}

const EXACTLY = { ada: 7, bob: 5, eve: 3, [FULL]: COUNT - 15 };

describe.each(['round robin', 'load balanced'])(
  '40 dispatches at the same time by two routers: %s',
  (model) => {
    it('through two services use all the room there is and no more [contract 4]', async () => {
      const account = await open({ distribution_model: model });
      const { ids, seats } = await crowd(account);
      // Each service runs both routers.
      const answers = await Promise.all(
        ids.map((id, index) => seats[index % 2]!.assign(index % 4 < 2 ? 'R' : 'S', id)),
      );
      expect(tally(answers)).toEqual(EXACTLY);
      const log = await account.log();
      expect(tally(log.map((run) => run.user_email ?? FULL))).toEqual({
        [mail('ada')]: 7,
        [mail('bob')]: 5,
        [mail('eve')]: 3,
        [FULL]: COUNT - 15,
      });
      expect(new Set(log.map((run) => run.router_id)).size).toBe(2);
      expect(await Promise.all(['R', 'S'].map((name) => account.assign(name)))).toEqual([FULL, FULL]);
    });

    it('in batches through two services do the same [contract 4, contract 6]', async () => {
      const account = await open({ distribution_model: model });
      const { ids, seats } = await crowd(account);
      const parts = [0, 1, 2, 3].map((part) => ids.filter((_, index) => index % 4 === part));
      const responses = await Promise.all(
        parts.map((part, index) => seats[index % 2]!.batch(index < 2 ? 'R' : 'S', part)),
      );
      const results: any[] = responses.flatMap(({ body }) => body.results);
      expect(
        tally(results.map(({ user, reason }) => (user === undefined ? reason : user.split('@')[0]))),
      ).toEqual(EXACTLY);
    });
  },
);

describe('40 dispatches at the same time by a router that matches accounts and one that does not', () => {
  it('never give the matched owner more than the limit [contract 4]', async () => {
    const account = await RoutingAccount.open(first, {
      users: [{ email: mail('ada'), limits: { day: 6 } }, ...people(['bob'])],
      routers: [
        router('R', { account_matching: true }, { users: people(['bob']) }),
        router('S', {}, { users: people(['ada']) }),
      ],
    });
    await account.create('companies', {
      company_name: 'Acme',
      website_url: 'acme.io',
      company_owner: mail('ada'),
    });
    const ids = await Promise.all(
      Array.from({ length: COUNT }, (_, index) => account.contact({ email: `c${index}@acme.io` })),
    );
    const elsewhere = account.through(second);
    await Promise.all([account, elsewhere].map((seat) => seat.routerId('R')));
    const answers = await Promise.all(
      ids.map((id, index) => (index % 2 === 0 ? account.assign('R', id) : elsewhere.assign('S', id))),
    );
    const counts = tally(answers);
    expect(counts['ada']).toBe(6);
    expect((counts['bob'] ?? 0) + (counts[FULL] ?? 0)).toBe(COUNT - 6);
    expect((await account.log()).filter((run) => run.user_email === mail('ada'))).toHaveLength(6);
  });
});
