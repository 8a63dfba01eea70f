import type { ApiClient } from '../support/api-client.js';
import { equalShares, tijdeman, worstDeviation } from '../support/fairness.js';
import { nameOf, people, router, RoutingAccount, tally, type LoggedRun } from '../support/routing-account.js';
import { ServerProcesses, type Seat } from '../support/processes/server-processes.js';
import { storm } from '../support/storm.js';

const TEAM = ['ada', 'bob', 'eve', 'dan', 'fay', 'gus', 'hal', 'ivy'];
const EACH = storm(75, 25);
const RECORDS = EACH * TEAM.length;
const CLIENTS = storm(64, 16);

let servers: ServerProcesses;

beforeAll(async () => {
  servers = await ServerProcesses.create();
});
afterEach(() => servers.end());
afterAll(() => servers.close());

const open = (): Promise<RoutingAccount> =>
  RoutingAccount.open(servers.desk, {
    users: people(TEAM),
    routers: [router('R', { overwrite: false }, { users: people(TEAM) })],
  });

/** Lets that number of clients process a list together, each one item at a time. */
async function workThrough<T>(
  items: readonly T[],
  work: (item: T, client: number) => Promise<void>,
): Promise<void> {
  const queue = items.values();
  const client = async (_: unknown, index: number): Promise<void> => {
    for (const item of queue) await work(item, index);
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
}

/** Creates contacts through all processes. @returns their ids */
async function contacts(seats: readonly Seat[], count: number): Promise<string[]> {
  const ids: string[] = [];
  await workThrough(Array.from({ length: count }), async (_, client) => {
    const { api } = seats[client % seats.length]!;
    const { body } = await api.post('/contacts', { fields: { first_name: 'Lead' } });
    ids.push(body.id);
  });
  return ids;
}

/** The answers of assignments, by record. */
type Acknowledged = Map<string, { user: string; assignment_id: string }>;

/**
 * Dispatches a record and stores the answer of an assignment. @returns the reason. @throws when there is no
 * answer
 */
async function dispatch(api: ApiClient, routerId: string, id: string, noted: Acknowledged): Promise<string> {
  const { status, body } = await api.post('/dispatch/router', { router_id: routerId, object_id: id });
  if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`);
  if (body.success === true) noted.set(id, { user: body.user, assignment_id: body.assignment_id });
  return body.reason;
}

const names = (log: readonly LoggedRun[]): string[] => log.map((run) => nameOf(run.user_email!));

/**
 * Asserts that every record has exactly one assignment in the log, that owners, answers and the rotation
 * agree, and that the log is as fair as possible at every moment.
 * @returns the assignments, oldest first
 */
async function consistentLog(
  account: RoutingAccount,
  ids: readonly string[],
  acknowledged: Acknowledged,
): Promise<LoggedRun[]> {
  const log = (await account.log()).filter((run) => run.user_email !== null);
  expect(log.map((run) => run.object_id).sort()).toEqual([...ids].sort());
  const logged = new Map(log.map((run) => [run.object_id, { user: run.user_email!, assignment_id: run.id }]));
  for (const [id, answer] of acknowledged) expect(logged.get(id)).toEqual(answer);

  const { records } = await account.stored();
  const owners = new Map(records.map((record: any) => [record.id, record.fields.contact_owner]));
  expect(owners).toEqual(new Map(log.map((run) => [run.object_id, run.user_email])));

  const taken = names(log);
  expect(worstDeviation(taken, equalShares(TEAM))).toBeLessThanOrEqual(tijdeman(TEAM.length));
  const { seq, ledgers } = await account.rotation('R');
  expect(seq).toBe(ids.length);
  expect([...ledgers.get('users')!.values()].map(({ last }) => last)).toEqual(
    TEAM.map((name) => taken.lastIndexOf(name) + 1),
  );
  return log;
}

describe('Two server processes on one database, many clients, 8 people', () => {
  it('give each person exactly the same, fair at every moment of the log [4.6, contract 4]', async () => {
    const account = await open();
    const routerId = await account.routerId('R');
    const seats = [await servers.start(account), await servers.start(account)];
    const ids = await contacts(seats, RECORDS);
    const acknowledged: Acknowledged = new Map();
    const reasons: string[] = [];
    await workThrough(ids, async (id, client) => {
      reasons.push(await dispatch(seats[client % 2]!.api, routerId, id, acknowledged));
    });
    expect(tally(reasons)).toEqual({ round_robin: RECORDS });
    expect(acknowledged.size).toBe(RECORDS);

    const log = await consistentLog(account, ids, acknowledged);
    expect(names(log)).toEqual(Array(EACH).fill(TEAM).flat());
    const { ledgers } = await account.rotation('R');
    expect([...ledgers.get('users')!.values()].map(({ credit }) => credit)).toEqual(TEAM.map(() => 0n));
    for (const { process } of seats) {
      expect(process.logs.filter(({ level }) => level === 'error' || level === 'fatal')).toEqual([]);
      expect(await process.stop()).toBe(0);
    }
  });

  it('lose and double nothing when one of them is killed, and the other goes on [4.6, contract 4]', async () => {
    const account = await open();
    const routerId = await account.routerId('R');
    const [victim, survivor] = [await servers.start(account), await servers.start(account)];
    const ids = await contacts([victim, survivor], RECORDS);
    const acknowledged: Acknowledged = new Map();
    const unanswered: string[] = [];
    const again: string[] = [];
    await workThrough(ids, async (id, client) => {
      const { api, process } = client % 2 === 0 ? victim : survivor;
      try {
        await dispatch(api, routerId, id, acknowledged);
      } catch (error) {
        if (process === survivor.process) throw error;
        unanswered.push(id);
        again.push(await dispatch(survivor.api, routerId, id, acknowledged));
      }
      if (acknowledged.size >= RECORDS / 4 && !victim.process.ended) victim.process.signal('SIGKILL');
    });
    expect(await victim.process.exit()).toBeNull();
    expect(unanswered.length).toBeGreaterThan(0);
    // The assignments that the killed process committed without an answer are in the log. All other records
    // were unassigned.
    const untold = ids.length - acknowledged.size;
    expect(tally(again)).toEqual({
      ...(untold === again.length ? {} : { round_robin: again.length - untold }),
      ...(untold === 0 ? {} : { owner_present: untold }),
    });

    const log = await consistentLog(account, ids, acknowledged);
    expect(tally(names(log))).toEqual(Object.fromEntries(TEAM.map((name) => [name, EACH])));

    const more = await contacts([survivor], TEAM.length);
    await workThrough(more, async (id) => {
      expect(await dispatch(survivor.api, routerId, id, acknowledged)).toBe('round_robin');
    });
    const whole = await consistentLog(account, [...ids, ...more], acknowledged);
    expect(names(whole).slice(RECORDS).sort()).toEqual([...TEAM].sort());
    expect(await survivor.process.stop()).toBe(0);
  });
});

describe('A rotation', () => {
  it.each(['SIGTERM', 'SIGKILL'] as const)(
    'goes on where it was when every process is gone after %s and a new one starts [contract 4]',
    async (signal) => {
      const account = await open();
      const routerId = await account.routerId('R');
      const acknowledged: Acknowledged = new Map();
      const ids: string[] = [];
      for (const count of [5, 1, 4, 6]) {
        const seat = await servers.start(account);
        const made = await contacts([seat], count);
        for (const id of made) await dispatch(seat.api, routerId, id, acknowledged);
        ids.push(...made);
        seat.process.signal(signal);
        expect(await seat.process.exit()).toBe(signal === 'SIGTERM' ? 0 : null);
      }
      const log = await consistentLog(account, ids, acknowledged);
      expect(names(log)).toEqual([...TEAM, ...TEAM]);
    },
  );
});
