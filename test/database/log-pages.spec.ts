import { Logger } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { Client } from 'pg';
import { AssignmentsRepository } from '../../src/assignments/assignments.repository.js';
import type { AssignmentFilter, EntryKind, LogSelection } from '../../src/assignments/log-query.js';
import { SUMMARY_BY, type SummaryBy } from '../../src/assignments/log-statements.js';
import { LogCheck } from '../../src/assignments/log-check.js';
import { LogSweep } from '../../src/assignments/log-sweep.js';
import { AccountsRepository } from '../../src/accounts/index.js';
import { createDataSource } from '../../src/database/connection/data-source.js';
import { Background, Database } from '../../src/database/index.js';
import { ENTITIES } from '../../src/start/entities.js';
import { fillLog, type MadeEntry } from '../support/database/filled-log.js';
import { storm } from '../support/storm.js';
import { createTestDatabase, type TestDatabase } from '../support/database/test-database.js';

const DAY = 86_400_000;
const RETENTION = 62;
/** Noon of a day. */
const START = Date.UTC(2026, 0, 1, 12);
const id = (kind: number, n: number): string => `00000000-0000-7000-${kind}000-00000000000${n}`;
const ROUTERS = [1, 2, 3].map((n) => id(8, n));
const OBJECTS = [1, 2].map((n) => id(9, n));
const USERS = [1, 2, 3].map((n) => id(8, n + 4));

const log = new AssignmentsRepository();
let test: TestDatabase;
let dataSource: ReturnType<typeof createDataSource>;
let database: Database;
let client: Client;

beforeAll(async () => {
  jest.spyOn(Logger.prototype, 'log').mockImplementation();
  test = await createTestDatabase();
  dataSource = createDataSource({ url: test.url, poolSize: 4, entities: ENTITIES });
  await dataSource.initialize();
  database = Database.of(dataSource);
  client = new Client({ connectionString: test.url });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await dataSource.destroy();
  await test.drop();
});

const sweepOf = (settings: ConstructorParameters<typeof LogSweep>[2]): LogSweep =>
  new LogSweep(database, new AccountsRepository(), settings, new Background());

async function openAccount(): Promise<string> {
  const accountId = randomUUID();
  await client.query('INSERT INTO accounts (id, slug, name) VALUES ($1, $2, $2)', [accountId, accountId]);
  return accountId;
}

/** Entries of some days. `days` and `seconds` are those since the entry before. */
const made = fc.record({
  days: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 9 })),
  seconds: fc.integer({ min: 0, max: 7_200 }),
  // The clock may be set back between a decision and its entry, and midnight may pass.
  late: fc.oneof({ weight: 6, arbitrary: fc.constant(0) }, fc.integer({ min: -30, max: 60_000 })),
  router: fc.constantFrom(...ROUTERS),
  object: fc.constantFrom(...OBJECTS),
  user: fc.constantFrom(null, ...USERS),
  reason: fc.constantFrom('round_robin', 'already_owner', 'default_user', 'owner_present', 'rule_refused'),
  rule: fc.constantFrom(null, 'Gold'),
  step: fc.constantFrom(null, 0, 1),
  /** Seconds after the decision. */
  returned: fc.option(fc.integer({ min: 0, max: 3 * 86_400 }), { nil: null }),
});
const logs = fc.array(made, { minLength: 1, maxLength: 60 }).map((all) => {
  let now = START;
  return all.map(({ days, seconds, returned, ...entry }) => {
    now += days * DAY + seconds * 1_000;
    return { ...entry, at: new Date(now), returned: returned === null || entry.user === null ? null : new Date(now + returned * 1_000) };
  });
}); // prettier-ignore

const filters = fc.record(
  { router: fc.constantFrom(...ROUTERS), user: fc.constantFrom(...USERS), object: fc.constantFrom(...OBJECTS) },
  { requiredKeys: [] },
); // prettier-ignore
/** Wherever a day may be cut, also at its ends. */
const bound = fc.oneof(
  fc.integer({ min: -20 * 3_600, max: 40 * 86_400 }).map((seconds) => new Date(START + seconds * 1_000)),
  fc.integer({ min: -3, max: 40 }).map((days) => new Date(START + (days - 0.5) * DAY)),
  fc.constant(undefined),
);
const kind = fc.record(
  {
    reason: fc.constantFrom('round_robin', 'owner_present', 'x'),
    assigned: fc.boolean(),
    rule: fc.constantFrom('Gold', 'Tin'),
    step: fc.constantFrom(0, 1, 2),
  },
  { requiredKeys: [] },
);
const selection = fc.record({
  filters,
  kind: fc.option(kind, { nil: undefined }),
  range: fc.option(fc.record({ from: bound, to: bound }), { nil: undefined }),
});
const page = fc.record({ limit: fc.integer({ min: 1, max: 9 }), offset: fc.nat({ max: 130 }), selection });

interface Selection {
  readonly filters: Partial<Record<AssignmentFilter, string>>;
  readonly kind: EntryKind | undefined;
  readonly range: LogSelection['range'];
}

interface Page {
  readonly limit: number;
  readonly offset: number;
  readonly selection: Selection;
}

const isRefusal = (reason = ''): boolean => ['owner_present', 'rule_refused'].includes(reason);
const isOfPool = (reason = ''): boolean => !isRefusal(reason) && reason !== 'default_user';

const selected = (entries: readonly Entry[], { filters: ids, kind: of = {}, range = {} }: Selection): Entry[] =>
  entries.filter((entry) => {
    const made = entry.at.getTime() + (entry.late ?? 0);
    return Object.entries(ids).every(([name, value]) => entry[name as AssignmentFilter] === value) &&
      (of.reason === undefined || entry.reason === of.reason) &&
      (of.assigned === undefined || isRefusal(entry.reason) !== of.assigned) &&
      (of.rule === undefined || entry.rule === of.rule) &&
      (of.step === undefined || ((entry.step ?? 0) === of.step && isOfPool(entry.reason))) &&
      (range.from === undefined || made >= range.from.getTime()) && (range.to === undefined || made < range.to.getTime());
  }); // prettier-ignore

type Entry = MadeEntry & { readonly id: string };

async function add(accountId: string, entries: readonly MadeEntry[]): Promise<Entry[]> {
  const ids = await fillLog(client, accountId, entries);
  return entries.map((entry, n) => ({ ...entry, id: ids[n]! }));
}

async function expectPages(accountId: string, entries: readonly Entry[], pages: readonly Page[]): Promise<void> {
  for (const { limit, offset, selection: given } of pages) {
    const wanted = { ...given, filters: new Map(Object.entries(given.filters)) as Map<AssignmentFilter, string> };
    const matching = selected(entries, given).map((entry) => entry.id).sort().reverse();
    const near = offset % (matching.length + 2);
    const found = await log.list(database, { accountId }, { ...wanted, limit, offset: near, behind: undefined });
    expect(found.rows.map((row) => row.id)).toEqual(matching.slice(near, near + limit));
    expect([found.count, found.more]).toEqual([matching.length, near + found.rows.length < matching.length]);
    const behind = matching[near] ?? entries[0]?.id ?? accountId;
    const next = await log.list(database, { accountId }, { ...wanted, limit, offset: 0, behind });
    const rest = matching.filter((each) => each < behind);
    expect(next.rows.map((row) => row.id)).toEqual(rest.slice(0, limit));
    expect([next.count, next.more]).toEqual([matching.length, rest.length > limit]);
  }
} // prettier-ignore

it('a page and its count are those of the whole log, over any number of days [contract 3, contract 6]', async () => {
  await fc.assert(
    fc.asyncProperty(logs, fc.array(page, { minLength: 8, maxLength: 8 }), async (entries, pages) => {
      const accountId = await openAccount();
      await expectPages(accountId, await add(accountId, entries), pages);
    }),
    { numRuns: storm(60) },
  );
});

/** What an entry has in common with others, as a summary shows it. */
const VALUES: Record<SummaryBy, (entry: Entry) => string | null> = {
  user: ({ user }) => (user == null ? null : `u${USERS.indexOf(user)}@acme.test`),
  rule: ({ rule }) => rule ?? null,
  reason: ({ reason }) => reason ?? '',
  day: ({ at, late = 0 }) => new Date(at.getTime() + late).toISOString().slice(0, 10),
};

it('a summary has the numbers of the whole log, by whatever it is made [contract 6]', async () => {
  await fc.assert(
    fc.asyncProperty(logs, fc.array(selection, { minLength: 6, maxLength: 6 }), async (made, all) => {
      const accountId = await openAccount();
      await client.query(
        `INSERT INTO users (account_id, id, email, email_key)
          SELECT $1, id, 'u' || n - 1 || '@acme.test', 'u' || n - 1 || '@acme.test'
          FROM unnest($2::uuid[]) WITH ORDINALITY AS u (id, n)`,
        [accountId, USERS],
      );
      const entries = await add(accountId, made);
      for (const given of all)
        for (const by of SUMMARY_BY) {
          const wanted = new Map(Object.entries(given.filters)) as Map<AssignmentFilter, string>;
          const rows = await log.summarize(
            database,
            { accountId },
            { ...given, filters: wanted, by, most: 99 },
          );
          const lines = new Map<string | null, { assigned: number; refused: number }>();
          for (const entry of selected(entries, given)) {
            const line = lines.get(VALUES[by](entry)) ?? { assigned: 0, refused: 0 };
            line[isRefusal(entry.reason) ? 'refused' : 'assigned'] += 1;
            lines.set(VALUES[by](entry), line);
          }
          const counts = rows.map(({ value, assigned, refused }) => [value, { assigned, refused }] as const);
          expect(new Map(counts)).toEqual(lines);
          expect(counts).toHaveLength(lines.size);
          const sizes = counts.map(([value, { assigned, refused }]) =>
            by === 'day' ? value! : assigned + refused,
          );
          expect(sizes).toEqual(
            [...sizes].sort((a, b) => (by === 'day' ? (a < b ? -1 : 1) : Number(b) - Number(a))),
          );
          for (const side of ['assigned', 'refused'] as const) {
            const all = side === 'assigned' ? rows[0]?.allAssigned : rows[0]?.allRefused;
            expect(all ?? 0).toBe(counts.reduce((sum, [, line]) => sum + line[side], 0));
          }
        }
    }),
    { numRuns: storm(30) },
  );
});

it('a page and its count are those of what retention has left, and of what came since [contract 3, contract 6]', async () => {
  const sweep = sweepOf({ ASSIGNMENT_RETENTION_DAYS: RETENTION });
  const check = new LogCheck(database, new AccountsRepository());
  const pages = fc.array(page, { minLength: 4, maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(logs, logs, fc.double({ min: 0, max: 1, noNaN: true }), pages, async (first, second, part, asked) => {
      const accountId = await openAccount();
      const entries = await add(accountId, first);
      const kept = entries[Math.floor(part * entries.length)]?.at ?? new Date(START + 1_000 * DAY);
      await sweep.sweep(new Date(kept.getTime() + RETENTION * DAY));
      const cut = [...entries].filter((entry) => entry.at.getTime() + (entry.late ?? 0) >= kept.getTime());
      const left = [...cut, ...(await add(accountId, second))];
      await expectPages(accountId, left, asked);
      expect(await check.compare({ accountId })).toEqual({ compared: left.length, wrong: 0 });
    }),
    { numRuns: storm(40) },
  );
}, 120_000); // prettier-ignore

it('the newest assignments of a user are those of the whole log, without what was returned [contract 4]', async () => {
  const instant = fc.integer({ min: -3_600, max: 30 * 86_400 }).map((seconds) => new Date(START + seconds * 1_000));
  const asked = fc.record({ since: instant, until: fc.option(instant, { nil: null }), most: fc.integer({ min: 1, max: 70 }) });
  await fc.assert(
    fc.asyncProperty(logs, fc.array(asked, { minLength: 5, maxLength: 5 }), async (given, all) => {
      const accountId = await openAccount();
      const entries = await add(accountId, given);
      for (const { since, until, most } of all) {
        const ranges = new Map(USERS.map((user) => [user, { since, most }]));
        const found = await log.newest(database, { accountId }, { ranges, until });
        for (const user of USERS) {
          const counted = entries.filter((entry) =>
            entry.user === user && entry.at >= since && (until === null || entry.at <= until) &&
            (entry.returned == null || (until !== null && entry.returned > until)));
          const newest = counted.map(({ at }) => at.getTime()).sort((a, b) => b - a);
          expect(found.get(user)?.slice(0, most)).toEqual(newest.slice(0, most));
        }
      }
    }),
    { numRuns: storm(60) },
  );
}); // prettier-ignore

describe('Retention', () => {
  const NOW = new Date(START + 200 * DAY);
  const old = (n: number, of: Partial<MadeEntry> = {}): MadeEntry => ({
    at: new Date(START + n * 1_000), router: ROUTERS[0]!, user: USERS[0]!, ...of,
  }); // prettier-ignore
  const rows = async (accountId: string): Promise<Record<string, number>> => {
    const counts: Record<string, number> = {};
    for (const table of ['assignments', 'assignment_traces', 'assignment_days']) {
      const found = await client.query<{ n: number }>(`SELECT count(*)::int AS n FROM ${table} WHERE account_id = $1`, [accountId]);
      counts[table] = found.rows[0]!.n;
    }
    return counts;
  }; // prettier-ignore

  it('deletes entries in slices, with traces and counts, of each account that has old ones [contract 6]', async () => {
    const [one, other] = [await openAccount(), await openAccount()];
    await fillLog(
      client,
      one,
      Array.from({ length: 5_200 }, (_, n) => old(n)),
    );
    await fillLog(client, one, [old(0, { at: new Date(NOW.getTime() - DAY) })]);
    await fillLog(client, other, [old(0)]);
    const swept = await sweepOf({ ASSIGNMENT_RETENTION_DAYS: 100 }).sweep(NOW);
    expect(swept.assignments).toBeGreaterThanOrEqual(5_201);
    expect(await rows(one)).toEqual({ assignments: 1, assignment_traces: 1, assignment_days: 2 });
    expect(await rows(other)).toEqual({ assignments: 0, assignment_traces: 0, assignment_days: 0 });
  });

  it('deletes traces alone where these are kept for a shorter time [contract 6]', async () => {
    const accountId = await openAccount();
    await fillLog(client, accountId, [old(0), old(1), old(0, { at: NOW })]);
    await sweepOf({ TRACE_RETENTION_DAYS: 30 }).sweep(NOW);
    expect(await rows(accountId)).toEqual({ assignments: 3, assignment_traces: 1, assignment_days: 3 });
  });

  it('keeps an entry whose turn is owed until it has been owed for as long [contract 4, contract 6]', async () => {
    const accountId = await openAccount();
    const owed = { owed: true, returned: new Date(NOW.getTime() - DAY) };
    await fillLog(client, accountId, [old(0, owed), old(1)]);
    await sweepOf({ ASSIGNMENT_RETENTION_DAYS: 100 }).sweep(NOW);
    expect(await rows(accountId)).toMatchObject({ assignments: 1, assignment_days: 2 });
    await sweepOf({ ASSIGNMENT_RETENTION_DAYS: 100 }).sweep(new Date(NOW.getTime() + 100 * DAY));
    expect(await rows(accountId)).toMatchObject({ assignments: 0, assignment_days: 0 });
  });

  it('may be of several processes, and leaves an entry that somebody changes to the next time [contract 6]', async () => {
    const accountId = await openAccount();
    const [first] = await fillLog(client, accountId, Array.from({ length: 300 }, (_, n) => old(n)));
    await client.query('BEGIN');
    await client.query('SELECT FROM assignments WHERE id = $1 FOR UPDATE', [first]);
    const both = [sweepOf({ ASSIGNMENT_RETENTION_DAYS: 100 }), sweepOf({ ASSIGNMENT_RETENTION_DAYS: 100 })];
    const swept = await Promise.all(both.map((sweep) => sweep.sweep(NOW)));
    await client.query('COMMIT');
    expect(swept.reduce((sum, { assignments }) => sum + assignments, 0)).toBe(299);
    expect(await new LogCheck(database, new AccountsRepository()).compare({ accountId })).toEqual({ compared: 1, wrong: 0 });
    await sweepOf({ ASSIGNMENT_RETENTION_DAYS: 100 }).sweep(NOW);
    expect(await rows(accountId)).toEqual({ assignments: 0, assignment_traces: 0, assignment_days: 0 });
  }); // prettier-ignore
});
