import { CREDIT_UNIT } from '../../src/engine/ledger/credit.js';
import { mail, people, router, RoutingAccount, tally } from '../support/routing-account.js';
import { ServerProcesses, type Seat } from '../support/processes/server-processes.js';
import { sql } from '../support/database/stored-records.js';
import { storm } from '../support/storm.js';

const TEAM = ['ada', 'bob', 'eve'];
const RECORDS = 12;
const REQUESTS = storm(240, 120);
const CLIENTS = 16;
const LIMIT = 7;

let servers: ServerProcesses;

beforeAll(async () => {
  servers = await ServerProcesses.create();
});
afterEach(() => servers.end());
afterAll(() => servers.close());

/** Two routers that take records from each other's owners, and zed, whom none of them knows. */
const open = (limits: object = {}): Promise<RoutingAccount> => {
  const pool = { users: people(TEAM) };
  const settings = { overwrite: true, reimburse_within_minutes: 60 };
  return RoutingAccount.open(servers.desk, {
    users: [...people(TEAM, limits), ...people(['zed'])],
    routers: ['R', 'S'].map((name) => router(name, settings, pool)),
  });
};

interface Entry {
  readonly id: string;
  readonly router_id: string;
  readonly object_id: string;
  readonly user: string;
  readonly reason: string;
  readonly returned: boolean;
  readonly owed: boolean;
}

/** The assignments that gave a record to somebody, oldest first. */
const assignments = async ({ slug }: RoutingAccount): Promise<Entry[]> =>
  sql<Entry>(
    servers.desk,
    `SELECT a.id, a.router_id, a.object_id, u.email AS "user", a.reason,
       a.returned_at IS NOT NULL AS returned, a.turn_owed AS owed
     FROM assignments a JOIN accounts ON accounts.id = a.account_id
     JOIN users u ON u.account_id = a.account_id AND u.id = a.user_id
     WHERE accounts.slug = $1 ORDER BY a.id`,
    [slug],
  );

/**
 * Sends dispatches by both routers, updates of the owner and archives of a few records, all at the same time.
 */
async function contend(
  account: RoutingAccount,
  seats: readonly Seat[],
  ids: readonly string[],
): Promise<void> {
  const routerIds = [await account.routerId('R'), await account.routerId('S')];
  const queue = Array.from({ length: REQUESTS }, (_, n) => n).values();
  const statuses: number[] = [];
  const client = async (_: unknown, index: number): Promise<void> => {
    const { api } = seats[index % seats.length]!;
    for (const n of queue) {
      const id = ids[(n * 7) % ids.length]!;
      const patch = () => api.patch(`/contacts/${id}`, { fields: { contact_owner: mail('zed') } });
      const dispatch = () => api.post('/dispatch/router', { router_id: routerIds[n % 2], object_id: id });
      const isLast = n >= REQUESTS - 4;
      const answer = await (isLast
        ? api.delete(`/contacts/${ids[n % 4]}`)
        : n % 5 === 4
          ? patch()
          : dispatch());
      statuses.push(answer.status);
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
  // An archived record is refused, and archived once.
  expect(statuses.filter((status) => ![200, 404, 409].includes(status))).toEqual([]);
}

/** The users who hold records by an assignment. Every other assignment must have been returned, once. */
async function heldByAssignment(account: RoutingAccount): Promise<string[]> {
  const log = await assignments(account);
  const { records } = await account.stored();
  const owners = new Map(
    records.map((record: any) => [record.id, record.archived_at === null && record.fields.contact_owner]),
  );
  const last = new Map(log.map((entry) => [entry.object_id, entry.id]));
  const held = log.filter(
    (entry) => last.get(entry.object_id) === entry.id && owners.get(entry.object_id) === entry.user,
  );
  expect(log.filter(({ returned }) => !returned).map(({ id }) => id)).toEqual(held.map(({ id }) => id));
  expect(log.length).toBeGreaterThan(RECORDS);
  return held.map(({ user }) => user);
}

describe('Through two processes, what is taken from somebody by dispatches, updates and archives', () => {
  it('is returned exactly once, and the credits are those of the turns that are left [contract 4]', async () => {
    const account = await open();
    const seats = [await servers.start(account), await servers.start(account)];
    await contend(account, seats, await account.contacts(RECORDS));
    await heldByAssignment(account);
    // The next dispatch of each router takes over what it owes.
    for (const name of ['R', 'S']) expect(TEAM).toContain(await account.assign(name));
    const log = await assignments(account);
    expect(log.filter(({ owed }) => owed)).toEqual([]);
    for (const name of ['R', 'S']) {
      const id = await account.routerId(name);
      const turns = log.filter((entry) => entry.router_id === id);
      const left = turns.filter(({ returned }) => !returned).map(({ user }) => user);
      const { seq, ledgers } = await account.rotation(name);
      expect(seq).toBe(turns.length);
      const had = tally(left);
      const credits = [...ledgers.get('users')!.values()].map(({ credit }) => credit);
      expect(credits).toEqual(
        TEAM.map(
          (each) => (CREDIT_UNIT * BigInt(left.length)) / 3n - CREDIT_UNIT * BigInt(had[mail(each)] ?? 0),
        ),
      );
    }
  });

  it('gives back the use of limits: they have exactly the room of the records that are held [contract 4]', async () => {
    const account = await open({ limits: { day: LIMIT } });
    const seats = [await servers.start(account), await servers.start(account)];
    await contend(account, seats, await account.contacts(RECORDS));
    const held = await heldByAssignment(account);
    const room = TEAM.length * LIMIT - held.length;
    const ids = await account.contacts(room + 3);
    const { body } = await account.batch('R', ids);
    expect(tally(body.results.map(({ reason }: any) => reason))).toEqual({
      round_robin: room,
      assignment_limit_reached: 3,
    });
    expect(tally(await heldByAssignment(account))).toEqual(
      Object.fromEntries(TEAM.map((name) => [mail(name), LIMIT])),
    );
  });
});
