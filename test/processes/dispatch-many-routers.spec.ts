import { equalShares, tijdeman, worstDeviation } from '../support/fairness.js';
import { mail, nameOf, people, router, RoutingAccount, tally } from '../support/routing-account.js';
import { ServerProcesses, type Seat } from '../support/processes/server-processes.js';
import { storm } from '../support/storm.js';

const CLIENTS = storm(64, 16);
const TEAM = ['ada', 'bob', 'eve', 'dan'];
const LIMITED = ['fay', 'gus', 'hal'];
/** Routers of the team, and routers that share those with limits. */
const FREE = Array.from({ length: 12 }, (_, n) => `R${n}`);
const BOUND = Array.from({ length: 4 }, (_, n) => `S${n}`);
/** Records of each router, of which those with limits do not take all. */
const EACH = storm(24, 8);
const LIMIT = storm(20, 7);
const FULL = 'assignment_limit_reached';

let servers: ServerProcesses;
let account: RoutingAccount;

beforeAll(async () => {
  servers = await ServerProcesses.create();
});
beforeEach(async () => {
  account = await RoutingAccount.open(servers.desk, {
    users: [...people(TEAM), ...people(LIMITED, { limits: { day: LIMIT } })],
    routers: [
      ...FREE.map((name) => router(name, { overwrite: false }, { users: people(TEAM) })),
      ...BOUND.map((name) => router(name, { overwrite: false }, { users: people(LIMITED) })),
    ],
  });
  await account.routerId('R0');
});
afterEach(() => servers.end());
afterAll(() => servers.close());

/** A record and its router. */
interface Asked {
  readonly name: string;
  readonly id: string;
}

/** Creates the records that the routers are to run on, in an order that mixes the routers. */
async function asked(): Promise<Asked[]> {
  const names = Array<string[]>(EACH)
    .fill([...FREE, ...BOUND])
    .flat();
  const ids = await account.contacts(names.length);
  return names.map((name, index) => ({ name, id: ids[index]! }));
}

/** Lets the clients work through a list together, each one item at a time. */
async function workThrough(items: readonly Asked[], work: (item: Asked, client: number) => Promise<void>) {
  const queue = items.values();
  const client = async (_: unknown, index: number): Promise<void> => {
    for (const item of queue) await work(item, index);
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
}

/** The answers of assignments, by record. */
type Acknowledged = Map<string, { user: string; id: string }>;

/** @returns the reason. @throws when there is no answer */
async function dispatch({ api }: Seat, { name, id }: Asked, noted: Acknowledged): Promise<string> {
  const body = { router_id: await account.routerId(name), object_id: id };
  const answer = await api.post('/dispatch/router', body);
  if (answer.status !== 200) throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`);
  if (answer.body.success === true) noted.set(id, { user: answer.body.user, id: answer.body.assignment_id });
  return answer.body.reason;
}

/**
 * Asserts that each record has one owner by one assignment, which is what its client was told; that each
 * router was fair at every moment of the log; and that nobody ever got more than the limit.
 */
async function expectConsistent(all: readonly Asked[], acknowledged: Acknowledged): Promise<void> {
  const log = (await account.log()).filter(({ user_email }) => user_email !== null);
  const logged = new Map(log.map((run) => [run.object_id, { user: run.user_email!, id: run.id }]));
  expect(logged.size).toBe(log.length);
  for (const [id, answer] of acknowledged) expect(logged.get(id)).toEqual(answer);
  const { records } = await account.stored();
  const owners = records.flatMap((record: any): [string, string][] =>
    record.fields.contact_owner === undefined ? [] : [[record.id, record.fields.contact_owner]],
  );
  expect(new Map(owners)).toEqual(new Map(log.map((run) => [run.object_id, run.user_email])));

  for (const name of FREE) {
    const id = await account.routerId(name);
    const taken = log.filter((run) => run.router_id === id).map((run) => nameOf(run.user_email!));
    expect(taken).toHaveLength(EACH);
    expect(worstDeviation(taken, equalShares(TEAM))).toBeLessThanOrEqual(tijdeman(TEAM.length));
    expect((await account.rotation(name)).seq).toBe(EACH);
  }
  const bound = new Set(await Promise.all(BOUND.map((name) => account.routerId(name))));
  const taken = log.filter((run) => bound.has(run.router_id)).map((run) => run.user_email!);
  expect(tally(taken)).toEqual(Object.fromEntries(LIMITED.map((name) => [mail(name), LIMIT])));
  expect(all).toHaveLength((FREE.length + BOUND.length) * EACH);
}

const REFUSED = BOUND.length * EACH - LIMITED.length * LIMIT;

describe('Two server processes on one database, many clients, 16 routers', () => {
  it('keep each router fair and use all the room of users whom routers share, and no more [4.6, contract 4]', async () => {
    const seats = [await servers.start(account), await servers.start(account)];
    const all = await asked();
    const acknowledged: Acknowledged = new Map();
    const reasons: string[] = [];
    await workThrough(all, async (one, client) => {
      reasons.push(await dispatch(seats[client % 2]!, one, acknowledged));
    });
    expect(tally(reasons)).toEqual({ round_robin: all.length - REFUSED, [FULL]: REFUSED });
    await expectConsistent(all, acknowledged);
    for (const { process } of seats) {
      expect(process.logs.filter(({ level }) => level === 'error' || level === 'fatal')).toEqual([]);
      expect(await process.stop()).toBe(0);
    }
  });

  it('lose and double nothing when one of them is killed, and the other goes on [4.6, contract 4]', async () => {
    const [victim, survivor] = [await servers.start(account), await servers.start(account)];
    const all = await asked();
    const acknowledged: Acknowledged = new Map();
    const unanswered: string[] = [];
    await workThrough(all, async (one, client) => {
      const seat = client % 2 === 0 ? victim : survivor;
      try {
        await dispatch(seat, one, acknowledged);
      } catch (error) {
        if (seat === survivor) throw error;
        unanswered.push(one.id);
        await dispatch(survivor, one, acknowledged);
      }
      if (acknowledged.size >= all.length / 4 && !victim.process.ended) victim.process.signal('SIGKILL');
    });
    expect(await victim.process.exit()).toBeNull();
    expect(unanswered.length).toBeGreaterThan(0);
    await expectConsistent(all, acknowledged);
    expect(await survivor.process.stop()).toBe(0);
  });
});
