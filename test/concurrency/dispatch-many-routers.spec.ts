// Services of its own, at their default limits of time: clients come again where these are met.
import {
  mail,
  nameOf,
  people,
  router,
  RoutingAccount,
  tally,
  type AccountFile,
  type LoggedRun,
} from '../support/routing-account.js';
import { equalShares, tijdeman, worstDeviation } from '../support/fairness.js';
import { sql } from '../support/database/stored-records.js';
import { storm } from '../support/storm.js';
import { TestService } from '../support/test-service.js';

const CLIENTS = storm(64, 16);
const TEAM = ['ada', 'bob', 'eve', 'dan', 'fay', 'gus'];

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

/** A dispatch of a record, both by their numbers. */
interface Asked {
  readonly router: string;
  readonly record: number;
}

/** Runs the dispatches by many clients, through the services in turn. @returns their answers */
async function dispatchAll(
  seats: readonly RoutingAccount[],
  asked: readonly Asked[],
  ids: readonly string[],
): Promise<any[]> {
  await Promise.all(seats.map((seat) => seat.routerId(asked[0]!.router)));
  const answers: any[] = [];
  const queue = asked.entries();
  const client = async (_: unknown, n: number): Promise<void> => {
    for (const [index, { router: name, record }] of queue) {
      const { status, body } = await seats[n % seats.length]!.dispatch(name, ids[record]!);
      expect([status, body.error]).toEqual([200, undefined]);
      answers[index] = body;
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
  return answers;
}

/** What a run decided, without the ids of this account. */
const decisionOf = ({ user_email, previous_user, reason, message, trace }: LoggedRun): unknown => ({
  user_email,
  previous_user,
  reason,
  message,
  trace,
});

/** Dispatches of the twelve routers, and the records of these. */
const DISPATCHES = storm(240, 96);
const RECORDS = storm(160, 64);
/** The most that users get, so that some reach theirs. */
const MOST = { ada: storm(31, 12), bob: storm(24, 9), eve: storm(40, 16), dan: storm(37, 15) };
const LIMITS = [
  { day: MOST.ada },
  { hour: MOST.bob },
  { day: MOST.eve, month: MOST.eve + 5 },
  { week: MOST.dan },
];

/** Twelve routers of every model, which share users with limits and capacities. */
const users = TEAM.map((name, index) => ({
  email: mail(name),
  ...(index < 4 ? { limits: LIMITS[index] } : {}),
}));
const percentages = { ada: 50, bob: 30, eve: 20 };
const shared: AccountFile = {
  users,
  teams: [
    { name: 'A', members: [mail('ada'), mail('bob')] },
    { name: 'B', members: [mail('eve'), mail('dan'), mail('fay')] },
  ],
  capacities: [
    {
      name: 'Leads',
      object_type: 'contacts',
      field: 'lifecycle_stage',
      values: ['lead'],
      users: [
        { email: mail('ada'), max: 4 },
        { email: mail('fay'), max: 5 },
      ],
    },
  ],
  routers: Array.from({ length: 12 }, (_, n) => {
    const name = `R${n}`;
    const pool = { users: people(TEAM.slice(n % 3)) };
    if (n % 4 === 1) return router(name, { overwrite: true, distribution_model: 'load balanced' }, pool);
    if (n % 4 === 2) {
      const shares = Object.entries(percentages).map(([one, percentage]) => ({
        email: mail(one),
        percentage,
      }));
      return router(name, { distribution_model: 'percentage' }, { users: shares });
    }
    if (n % 4 === 3) {
      return router(
        name,
        { overwrite: true, rotation_type: 'teams' },
        { teams: [{ name: 'A' }, { name: 'B' }] },
      );
    }
    return router(name, { overwrite: n % 8 === 0 }, pool);
  }),
};
const fieldsOf = (record: number): object => ({
  city: record % 2 === 0 ? 'Paris' : 'Rome',
  ...(record % 4 !== 0 ? { lifecycle_stage: 'lead' } : {}),
});

/** Creates contacts one after the other, so that two accounts have the same. */
async function contacts(account: RoutingAccount, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let record = 0; record < count; record++) ids.push(await account.contact(fieldsOf(record)));
  return ids;
}

describe.each([
  ['one service', () => [first]],
  ['two services on one database', () => [first, second]],
])(
  'Dispatches of 12 routers that share users with limits and capacities, by many clients: %s',
  (_, services) => {
    it('decide exactly as if sent one after the other in the order of the log, with the same traces [4.6, contract 4, contract 6]', async () => {
      const account = await RoutingAccount.open(first, shared);
      const ids = await contacts(account, RECORDS);
      // Every third record is dispatched by two routers at the same time.
      const asked = Array.from({ length: DISPATCHES }, (__, n): Asked => ({
        router: `R${(n * 5) % 12}`,
        record: n < RECORDS ? n : ((n - RECORDS) * 2) % RECORDS,
      })).sort((one, other) => (one.record % CLIENTS) - (other.record % CLIENTS));
      const answers = await dispatchAll(
        services().map((service) => account.through(service)),
        asked,
        ids,
      );
      const log = await account.log();
      expect(new Set(log.map(({ id }) => id)).size).toBe(asked.length);
      for (const answer of answers) {
        if (!answer.success) continue;
        const run = log.find(({ id }) => id === answer.assignment_id);
        const kept = answer.reason === 'already_owner';
        expect(kept ? run?.previous_user : run?.user_email).toBe(answer.user);
      }

      const serial = await RoutingAccount.open(first, shared);
      const same = await contacts(serial, RECORDS);
      const names = new Map(
        await Promise.all(
          shared.routers!.map(async ({ name }: any) => [await account.routerId(name), name] as const),
        ),
      );
      for (const run of log)
        await serial.dispatch(names.get(run.router_id), same[ids.indexOf(run.object_id)]!);
      expect((await serial.log()).map(decisionOf)).toEqual(log.map(decisionOf));
      // Limits and capacities were reached, so decisions did depend on each other.
      const reasons = JSON.stringify(log.map(({ trace }) => trace));
      for (const reason of ['day_limit_reached', 'hour_limit_reached', 'capacity_reached']) {
        expect(reasons).toContain(reason);
      }
      const taken = tally(log.flatMap(({ user_email }) => (user_email === null ? [] : [nameOf(user_email)])));
      for (const [name, most] of Object.entries(MOST)) {
        expect(taken[name]!).toBeLessThanOrEqual(most);
      }
      const { records } = await account.stored();
      const owned = tally(
        records
          .filter(({ fields }: any) => fields.lifecycle_stage === 'lead')
          .map(({ fields }: any) => nameOf(fields.contact_owner ?? '')),
      );
      expect(owned['ada'] ?? 0).toBeLessThanOrEqual(4);
      expect(owned['fay'] ?? 0).toBeLessThanOrEqual(5);
    });
  },
);

describe('Dispatches of 16 routers by many clients', () => {
  const EACH = storm(12, 4);

  it('are fair at every moment of the log of each router, and share transactions within the account only [1, contract 4]', async () => {
    const names = Array.from({ length: 16 }, (_, n) => `R${n}`);
    const file = {
      users: people(TEAM),
      routers: names.map((name) => router(name, {}, { users: people(TEAM) })),
    };
    const accounts = await Promise.all([RoutingAccount.open(first, file), RoutingAccount.open(first, file)]);
    const ids = await Promise.all(accounts.map((account) => account.contacts(EACH * names.length)));
    const asked = ids[0]!.map((_, record): Asked => ({ router: names[(record * 7) % 16]!, record }));
    await Promise.all(
      accounts.map((account, n) => dispatchAll([account, account.through(second)], asked, ids[n]!)),
    );
    for (const account of accounts) {
      const log = await account.log();
      expect(log).toHaveLength(EACH * names.length);
      for (const name of names) {
        const id = await account.routerId(name);
        const taken = log.filter((run) => run.router_id === id).map((run) => nameOf(run.user_email!));
        expect(taken).toHaveLength(EACH);
        expect(worstDeviation(taken, equalShares(TEAM))).toBeLessThanOrEqual(tijdeman(TEAM.length));
        expect((await account.rotation(name)).seq).toBe(EACH);
      }
    }
    // Nodes of a cluster count transactions each for itself; each has other parts of the table.
    const transactions = await sql<{ accounts: number; routers: number }>(
      first,
      `SELECT count(DISTINCT account_id)::int AS accounts, count(DISTINCT router_id)::int AS routers
       FROM assignments GROUP BY tableoid, xmin::text`,
    );
    expect(Math.max(...transactions.map(({ accounts: count }) => count))).toBe(1);
    expect(Math.max(...transactions.map(({ routers }) => routers))).toBeGreaterThan(1);
  });
});
