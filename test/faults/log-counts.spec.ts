import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { Client } from 'pg';
import {
  AssignmentsRepository,
  type AssignmentFilter,
} from '../../src/assignments/assignments.repository.js';
import type { FoldSizes } from '../../src/assignments/fold/fold.statements.js';
import { LogFoldsRepository } from '../../src/assignments/fold/log-folds.repository.js';
import { LogDeletionsRepository } from '../../src/assignments/deletion/log-deletions.repository.js';
import { createDataSource } from '../../src/database/connection/data-source.js';
import { Database, firstIdAt, LEAST_ID } from '../../src/database/index.js';
import { ENTITIES } from '../../src/start/entities.js';
import { storm } from '../support/storm.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

const SIZES: FoldSizes = { batch: 7, user: 3, others: 5 };
const START = Date.UTC(2026, 0, 1);
const LAST_ID = 'ffffffff-ffff-7fff-bfff-ffffffffffff';
/** Later than all entries. */
const SETTLED = new Date(Date.UTC(2027, 0, 1));
const ROUTERS = [1, 2, 3].map((n) => `00000000-0000-7000-8000-00000000000${n}`);
const OBJECTS = [1, 2].map((n) => `00000000-0000-7000-9000-00000000000${n}`);
const USERS = ['ada@acme.test', 'bob@acme.test', 'eve@acme.test'];

const log = new AssignmentsRepository();
const folds = new LogFoldsRepository();
const deletions = new LogDeletionsRepository();
let test: TestDatabase;
let dataSource: ReturnType<typeof createDataSource>;
let database: Database;
let client: Client;

beforeAll(async () => {
  test = await createTestDatabase();
  dataSource = createDataSource({ url: test.url, poolSize: 3, entities: ENTITIES });
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

/** An entry as a test makes it: when it was decided, and how much later its id was made. */
interface Made {
  readonly after: number;
  readonly late: number;
  readonly router: number;
  readonly object: number;
  /** Undefined: nobody. */
  readonly user: number | undefined;
}

interface Entry {
  readonly id: string;
  readonly at: Date;
  readonly router: string;
  readonly object: string;
  readonly user: string | null;
}

const made = fc.record<Made>({
  after: fc.integer({ min: 0, max: 40 }),
  late: fc.oneof({ weight: 6, arbitrary: fc.constant(0) }, fc.integer({ min: -30, max: 60 })),
  router: fc.integer({ min: 0, max: 2 }),
  object: fc.integer({ min: 0, max: 1 }),
  user: fc.option(fc.integer({ min: 0, max: 2 }), { nil: undefined }),
});

/** The entries in the order of their ids. `after` is the milliseconds since the entry before. */
function entriesOf(all: readonly Made[], start = START): Entry[] {
  let now = start;
  const entries = all.map(({ after, late, router, object, user }): Entry => {
    now += after;
    const id = firstIdAt(new Date(now + late)).slice(0, 18) + randomUUID().slice(18);
    const of = { router: ROUTERS[router]!, object: OBJECTS[object]!, user: USERS[user ?? 3] ?? null };
    return { id, at: new Date(now), ...of };
  });
  return entries.sort((one, other) => (one.id < other.id ? -1 : 1));
}

async function add(accountId: string, entries: readonly Entry[]): Promise<void> {
  const column = <T>(value: (entry: Entry) => T): T[] => entries.map(value);
  await client.query(
    `INSERT INTO assignments (account_id, id, router_id, object_type, object_id, user_email, reason, message, created_at)
     SELECT $1, id, router, 'contacts', object, "user", 'round_robin', 'x', at
     FROM unnest($2::uuid[], $3::uuid[], $4::uuid[], $5::text[], $6::timestamptz[]) AS e (id, router, object, "user", at)`,
    [
      accountId,
      column(({ id }) => id),
      column(({ router }) => router),
      column(({ object }) => object),
      column(({ user }) => user),
      column(({ at }) => at.toISOString()),
    ],
  );
}

const fold = (accountId: string): Promise<boolean> =>
  database.transaction((tx) => folds.fold(tx, { accountId }, { settled: SETTLED, sizes: SIZES }));

/** Deletes the entries before an id, a few at a time. @returns those that are left */
async function drop(accountId: string, entries: readonly Entry[], before: string): Promise<Entry[]> {
  const slice = (after: string): Promise<string | undefined> =>
    database.transaction(async (tx) => {
      await folds.lock(tx, { accountId });
      const end = await deletions.findEnd(tx, { accountId }, { after, before, limit: 7 });
      return (await deletions.delete(tx, { accountId }, { after, before: end })).last;
    });
  let after: string | undefined = LEAST_ID;
  while (after !== undefined) after = await slice(after);
  return entries.filter(({ id }) => id >= before);
}

/** Adds a part of the log, folds it, and adds the rest. @returns the whole log */
async function open(
  parts: readonly (readonly Made[])[],
  batches: number,
): Promise<{ accountId: string; entries: Entry[] }> {
  const accountId = randomUUID();
  const entries = entriesOf(parts.flat());
  let added = 0;
  for (const part of parts) {
    await add(accountId, entries.slice(added, (added += part.length)));
    for (let n = 0; n < batches; n++) await fold(accountId);
  }
  return { accountId, entries };
}

const parts = fc.array(fc.array(made, { maxLength: 40 }), { minLength: 1, maxLength: 3 });
const batches = fc.integer({ min: 0, max: 4 });
const filters = fc.record({
  router: fc.option(fc.integer({ min: 0, max: 2 }), { nil: undefined }),
  object: fc.option(fc.integer({ min: 0, max: 1 }), { nil: undefined }),
  user: fc.option(fc.integer({ min: 0, max: 2 }), { nil: undefined }),
});

it('a page is that of the whole log, whatever part of it is folded [contract 3, contract 6]', async () => {
  const page = fc.record({ limit: fc.integer({ min: 1, max: 9 }), offset: fc.integer({ min: 0, max: 130 }), filters });
  await fc.assert(
    fc.asyncProperty(parts, batches, fc.array(page, { minLength: 8, maxLength: 8 }), async (given, times, pages) => {
      const { accountId, entries } = await open(given, times);
      for (const { limit, offset, filters: by } of pages) {
        const wanted = new Map<AssignmentFilter, string>();
        if (by.user !== undefined) wanted.set('user', USERS[by.user]!);
        if (by.object !== undefined) wanted.set('object', OBJECTS[by.object]!);
        if (by.router !== undefined) wanted.set('router', ROUTERS[by.router]!);
        const matching = entries
          .filter((entry) => [...wanted].every(([name, value]) => entry[name] === value))
          .map(({ id }) => id)
          .reverse();
        const near = matching.length === 0 ? 0 : offset % (matching.length + 2);
        const found = await log.list(database, { accountId }, { filters: wanted, limit, offset: near, behind: undefined });
        expect(found.rows.map(({ id }) => id)).toEqual(matching.slice(near, near + limit));
        expect([found.count, found.more]).toEqual([matching.length, near + found.rows.length < matching.length]);
        const behind = matching[near] ?? entries[0]?.id ?? LAST_ID;
        const next = await log.list(database, { accountId }, { filters: wanted, limit, offset: 0, behind });
        const rest = matching.filter((id) => id < behind);
        expect(next.rows.map(({ id }) => id)).toEqual(rest.slice(0, limit));
        expect([next.count, next.more]).toEqual([matching.length, rest.length > limit]);
      }
    }),
    { numRuns: storm(60) },
  );
}); // prettier-ignore

it('a page is that of what is left of the log, whatever was folded and dropped before [contract 3, contract 6]', async () => {
  const page = fc.record({ limit: fc.integer({ min: 1, max: 9 }), offset: fc.nat({ max: 130 }), filters });
  const share = fc.double({ min: 0, max: 1, noNaN: true });
  await fc.assert(
    fc.asyncProperty(parts, batches, fc.tuple(share, share), fc.array(page, { minLength: 6, maxLength: 6 }), async (given, times, shares, pages) => {
      const opened = await open(given, times);
      const { accountId } = opened;
      let { entries } = opened;
      for (const [round, part] of shares.entries()) {
        const cut = entries[Math.floor(part * entries.length)]?.id ?? LAST_ID;
        entries = await drop(accountId, entries, cut);
        const more = entriesOf(given.flat(), START + (round + 1) * 100_000);
        await add(accountId, more);
        entries = [...entries, ...more];
        await fold(accountId);
      }
      for (const { limit, offset, filters: { router, user } } of pages) {
        const wanted = new Map<AssignmentFilter, string>();
        if (user !== undefined) wanted.set('user', USERS[user]!);
        if (router !== undefined) wanted.set('router', ROUTERS[router]!);
        const matching = entries.filter((entry) => [...wanted].every(([name, value]) => entry[name] === value)).map(({ id }) => id).reverse();
        const near = offset % (matching.length + 2);
        const found = await log.list(database, { accountId }, { filters: wanted, limit, offset: near, behind: undefined });
        expect(found.rows.map(({ id }) => id)).toEqual(matching.slice(near, near + limit));
        expect([found.count, found.more]).toEqual([matching.length, near + found.rows.length < matching.length]);
      }
    }),
    { numRuns: storm(60) },
  );
}); // prettier-ignore

it('the counts of limits are those of the whole log, by the instants of the decisions [contract 4]', async () => {
  const instant = fc.integer({ min: -50, max: 3_000 }).map((after) => new Date(START + after));
  const windows = fc.record(
    { hour: instant, day: instant, week: instant, month: instant },
    { requiredKeys: [] },
  ); // prettier-ignore
  const asked = fc.tuple(fc.array(windows, { minLength: 3, maxLength: 3 }), fc.option(instant, { nil: null }));
  await fc.assert(
    fc.asyncProperty(parts, batches, fc.array(asked, { minLength: 5, maxLength: 5 }), async (given, times, all) => {
      const { accountId, entries } = await open(given, times);
      // Retention is longer than any window.
      const since = Math.min(...all.flatMap(([spans]) => spans.flatMap((each) => Object.values(each).map(Number))));
      await drop(accountId, entries, firstIdAt(new Date(Math.min(since, START + 4_000) - 100)));
      for (const [spans, end] of all) {
        const until = end === null ? null : new Date(Math.max(end.getTime(), ...spans.flatMap((each) => Object.values(each).map(Number))));
        const byUser = new Map(USERS.map((user, n) => [user, spans[n]!]));
        const counts = await log.countAssigned(database, { accountId }, { windows: byUser, until });
        for (const [user, starts] of byUser) {
          const wanted = Object.entries(starts).map(([span, start]) => [span,
            entries.filter((entry) => entry.user === user && entry.at >= start && (until === null || entry.at <= until)).length]);
          expect(counts.get(user) ?? {}).toMatchObject(Object.fromEntries(wanted));
        }
      }
    }),
    { numRuns: storm(60) },
  );
}); // prettier-ignore
