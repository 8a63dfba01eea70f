// Services of its own, at their default limits of time: clients come again where these are met.
import { mail, nameOf, people, router, RoutingAccount, tally } from '../support/routing-account.js';
import { storm } from '../support/storm.js';
import { TestService } from '../support/test-service.js';

const TEAM = ['ada', 'bob', 'eve'];

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

/** One dispatch among many. */
interface Sent {
  /** Number of changes that were applied when it was sent. */
  readonly changesBefore: number;
  /** True if no change was being applied while it ran. */
  readonly settled: boolean;
  readonly status: number;
  readonly outcome: string;
}

/**
 * Dispatches contacts through both services, several at a time, while `changes` run one after the other. Each
 * change begins after some dispatches have ended since the one before it. Some dispatches run after the last
 * change. The contacts are created first, because a create would read the configuration before the dispatches
 * do. Most dispatches find a contact without an owner: a run that chooses the present owner takes no turn, so
 * a few contacts could keep a turn where it is.
 */
async function streamDuring(
  account: RoutingAccount,
  changes: readonly (() => Promise<void>)[],
): Promise<readonly Sent[]> {
  const sent: Sent[] = [];
  let applied = 0;
  let begun = 0;
  let running = true;
  let wake: () => void = () => undefined;
  const ids = await account.contacts(storm(150, 12 * (changes.length + 4)));
  let next = 0;
  const stream = async (through: RoutingAccount): Promise<void> => {
    while (running) {
      const id = ids[next++ % ids.length]!;
      const changesBefore = applied;
      const settled = (): boolean => begun === changesBefore;
      const { status, body } = await through.dispatch('R', id);
      const outcome = body.success === true ? nameOf(body.user) : (body.reason ?? body.message);
      sent.push({ changesBefore, settled: settled(), status, outcome });
      wake();
    }
  };
  const moreThan = async (count: number): Promise<void> => {
    while (sent.length < count) await new Promise<void>((resolve) => (wake = resolve));
  };
  const seats = [account, account.through(second), account, account.through(second), account, account];
  const streams = seats.map(stream);
  for (const change of changes) {
    await moreThan(sent.length + 12);
    begun += 1;
    await change();
    applied += 1;
  }
  await moreThan(sent.length + 24);
  running = false;
  await Promise.all(streams);
  return sent;
}

const outcomesAfter = (sent: readonly Sent[], changes: number): Set<string> =>
  new Set(sent.filter(({ changesBefore }) => changesBefore === changes).map(({ outcome }) => outcome));

const open = (): Promise<RoutingAccount> =>
  RoutingAccount.open(first, {
    users: people([...TEAM, 'dan']),
    routers: [router('R', { overwrite: true }, { users: people(TEAM) })],
  });

describe('Dispatches while the configuration changes', () => {
  it('never assign a user who was switched off before they were sent [4.6, contract 4, contract 5]', async () => {
    const account = await open();
    const switchTo = (available: boolean) => (): Promise<void> =>
      account.apply({ users: [{ email: mail('ada'), available }] });
    const changes = [switchTo(false), switchTo(true), switchTo(false)];
    const sent = await streamDuring(account, changes);

    expect(new Set(sent.map(({ status }) => status))).toEqual(new Set([200]));
    // While a change is being applied, either configuration may be used. Afterwards only the new one is used.
    expect(outcomesAfter(sent, 3)).toEqual(new Set(['bob', 'eve']));
    const settled = sent.filter((each) => each.settled);
    expect([0, 1, 2, 3].map((count) => outcomesAfter(settled, count))).toEqual([
      new Set(TEAM),
      new Set(['bob', 'eve']),
      new Set(TEAM),
      new Set(['bob', 'eve']),
    ]);
  });

  it('never assign by a router that was unpublished before they were sent [contract 4]', async () => {
    const account = await open();
    const sent = await streamDuring(account, [
      () => account.apply({ routers: [{ name: 'R', published: false }] }),
    ]);
    expect(new Set(sent.map(({ status }) => status))).toEqual(new Set([200]));
    expect(outcomesAfter(sent, 1)).toEqual(new Set(['router_unpublished']));
  });

  it('see a change of several keys all at once or not at all [contract 4]', async () => {
    const account = await open();
    // A partial change would be visible: only Dan is available for the new router, and Dan is not available
    // for the old one.
    await account.apply({ users: [{ email: mail('dan'), available: false }] });
    const sent = await streamDuring(account, [
      () =>
        account.apply({
          users: [...people(TEAM, { available: false }), { email: mail('dan'), available: true }],
          routers: [{ name: 'R', users: people(['dan']) }],
        }),
      () =>
        account.apply({
          users: [...people(TEAM, { available: true }), { email: mail('dan'), available: false }],
          routers: [{ name: 'R', users: people(TEAM) }],
        }),
    ]);
    expect(new Set(sent.map(({ status }) => status))).toEqual(new Set([200]));
    expect(sent.map(({ outcome }) => outcome)).not.toContain('no_users_available');
    expect(outcomesAfter(sent, 2)).toEqual(new Set(TEAM));
    expect(new Set(sent.map(({ outcome }) => outcome))).toEqual(new Set([...TEAM, 'dan']));
  });

  it('all end well under many changes in a row, and stay fair [contract 4]', async () => {
    const account = await open();
    const rename = (round: number) => (): Promise<void> =>
      account.apply({ users: [{ email: mail('dan'), name: `Dan ${round}` }] });
    const changes = Array.from({ length: storm(10, 4) }, (_, round) => rename(round));
    const sent = await streamDuring(account, changes);
    expect(new Set(sent.map(({ status }) => status))).toEqual(new Set([200]));
    // A run that chooses the present owner takes no turn.
    const taken = (await account.log()).flatMap(({ user_email: user }) =>
      user === null ? [] : [nameOf(user)],
    );
    expect(taken).toEqual(taken.map((_, index) => TEAM[index % TEAM.length]));
  });

  it('all end well while changes follow each other without a pause [4.6, contract 1, contract 4]', async () => {
    const account = await open();
    let running = true;
    const change = async (): Promise<void> => {
      for (let round = 0; running; round++) {
        await account.apply({ users: [{ email: mail('dan'), name: `Dan ${round}` }] });
      }
    };
    const ids = await account.contacts(24);
    const seat = async (through: RoutingAccount): Promise<string[]> => {
      const outcomes: string[] = [];
      for (const id of ids.splice(0, 8)) {
        const { status, body } = await through.dispatch('R', id);
        outcomes.push(`${status} ${body.message}`);
      }
      return outcomes;
    };
    const changing = change();
    const outcomes = await Promise.all([account, account.through(second), account].map(seat));
    running = false;
    await changing;
    expect(tally(outcomes.flat())).toEqual({ '200 The object was successfully assigned': 24 });
  });

  it('keep turns fair for a member who joins and one who leaves meanwhile [contract 4]', async () => {
    const account = await open();
    const list = (names: readonly string[]) => (): Promise<void> =>
      account.apply({ routers: [{ name: 'R', users: people(names) }] });
    const sent = await streamDuring(account, [list([...TEAM, 'dan']), list(['bob', 'eve', 'dan'])]);
    expect(new Set(sent.map(({ status }) => status))).toEqual(new Set([200]));
    expect(outcomesAfter(sent, 2)).toEqual(new Set(['bob', 'eve', 'dan']));
    const rotation = [...(await account.rotation('R')).ledgers.get('users')!.values()];
    expect(rotation.reduce((sum, member) => sum + member.credit, 0n)).toBe(0n);
    const turns = (await account.log()).filter(({ user_email }) => user_email !== null);
    expect((await account.rotation('R')).seq).toBe(turns.length);
  });
});

describe('A pool of two connections', () => {
  const EACH = storm(8, 3);

  it('serves many dispatches at the same time, of one router and of many [4.6, contract 4, contract 5]', async () => {
    const small = await TestService.start({ obedient: true, database: first.database, poolSize: 2 });
    try {
      const names = ['R', 'S', 'T', 'U', 'V'];
      const opened = await RoutingAccount.open(first, {
        users: people(TEAM),
        routers: names.map((name) => router(name, {}, { users: people(TEAM) })),
      });
      const account = opened.through(small);
      await account.routerId('R');
      for (const routers of [['R'], names]) {
        const ids = await opened.contacts(EACH * names.length);
        const responses = await Promise.all(
          ids.map((id, index) => account.dispatch(routers[index % routers.length]!, id)),
        );
        expect(responses.map(({ status, body }) => [status, body.success])).toEqual(
          ids.map(() => [200, true]),
        );
      }
      const seqs = await Promise.all(names.map(async (name) => (await account.rotation(name)).seq));
      expect(seqs).toEqual(names.map((name) => (name === 'R' ? EACH * (names.length + 1) : EACH)));
    } finally {
      await small.stop();
    }
  });

  it('serves dispatches among reads, writes and changes of the configuration [contract 4, contract 5]', async () => {
    const small = await TestService.start({ obedient: true, database: first.database, poolSize: 2 });
    try {
      const account = (await open()).through(small);
      await account.routerId('R');
      const ids = await account.contacts(storm(20, 8));
      const responses = await Promise.all(
        ids.flatMap((id) => [
          account.dispatch('R', id),
          account.api.patch(`/contacts/${id}`, { fields: { city: 'Paris' } }),
          account.api.get('/routers'),
        ]),
      );
      const changes = await Promise.all(
        Array.from({ length: 3 }, (_, round) =>
          account.apply({ users: [{ email: mail('dan'), name: `Dan ${round}` }] }),
        ),
      );
      expect(changes).toHaveLength(3);
      expect(tally(responses.map(({ status }) => String(status)))).toEqual({ 200: 3 * ids.length });
    } finally {
      await small.stop();
    }
  });
});
