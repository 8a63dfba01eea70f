import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import type { AssignmentFilter } from '../../src/assignments/assignments.repository.js';
import { listAssignments } from '../../src/assignments/assignments.list-statements.js';
import { PLAN_ONCE } from '../../src/assignments/assignments.statements.js';
import type { FoldSizes } from '../../src/assignments/fold/fold.statements.js';
import { likelyRange } from '../../src/assignments/log-range.js';
import { monthStart } from '../../src/assignments/months/month.js';
import { firstIdAt, type Statement } from '../../src/database/index.js';
import { DividedLog, type MadeEntry } from '../support/divided-log.js';
import { storm } from '../support/storm.js';

const SIZES: FoldSizes = { batch: 7, user: 3, others: 5 };
const DAY = 86_400_000;
const NOW = Date.now();
const [ROUTER, OTHER] = ['00000000-0000-7000-8000-000000000001', '00000000-0000-7000-8000-000000000002'];
const [ADA, BOB] = ['ada@acme.test', 'bob@acme.test'];
/** Records that were made then. */
const OBJECTS = [400, 100].map((days) => firstIdAt(new Date(NOW - days * DAY)));

let log: DividedLog;
beforeAll(async () => {
  log = await DividedLog.open(new Date(NOW - 300 * DAY));
  await log.months.make(new Date(NOW));
});
afterAll(() => log.close());

/** Ids of a page, and what is said of the others. */
interface Seen {
  readonly ids: string[];
  readonly count: number;
  readonly more: boolean;
  /** Statements that it took. */
  readonly statements: number;
}

interface Wanted {
  readonly limit?: number;
  readonly offset?: number;
  readonly behind?: string;
  readonly filters?: Partial<Record<AssignmentFilter, string>>;
}

async function page(accountId: string, { limit = 3, offset = 0, behind, filters = {} }: Wanted): Promise<Seen> {
  return log.database.transaction(
    async (tx) => {
      const sent = jest.spyOn(tx, 'query');
      const wanted = new Map(Object.entries(filters)) as Map<AssignmentFilter, string>;
      const found = await log.log.list(tx, { accountId }, { filters: wanted, limit, offset, behind });
      const statements = sent.mock.calls.filter(([statement]) => statement !== PLAN_ONCE).length;
      return { ids: found.rows.map(({ id }) => id), count: found.count, more: found.more, statements };
    },
    { readOnly: true },
  );
} // prettier-ignore

const entry = (days: number, of: Partial<MadeEntry> = {}): MadeEntry => ({
  at: new Date(NOW - days * DAY),
  router: ROUTER,
  user: ADA,
  ...of,
});

const foldAll = async (accountId: string, days: number): Promise<void> => {
  while (await log.fold(accountId, new Date(NOW - days * DAY), SIZES));
};

describe('A page of a log of many months', () => {
  it('that the last two months fill is read of these alone, whatever the count is [contract 6]', async () => {
    const accountId = randomUUID();
    const ids = await log.add(accountId, Array.from({ length: 70 }, (_, n) => entry(350 - n * 5)));
    await foldAll(accountId, 0);
    const seen = await page(accountId, {});
    expect(seen).toEqual({ ids: ids.slice(-3).reverse(), count: 70, more: true, statements: 1 });
    const filters = { router: ROUTER, user: ADA };
    expect(await page(accountId, { filters })).toEqual(seen);
  }); // prettier-ignore

  it('that spans months, or lies in old ones alone, has the same rows [contract 6]', async () => {
    const accountId = randomUUID();
    const ids = await log.add(accountId, [350, 200, 199, 100, 1].map((days) => entry(days)));
    expect(await page(accountId, {})).toMatchObject({ ids: [ids[4], ids[3], ids[2]], count: 5, more: true });
    expect(await page(accountId, { offset: 3 })).toMatchObject({ ids: [ids[1], ids[0]], count: 5, more: false });
    expect(await page(accountId, { behind: ids[2]! })).toMatchObject({ ids: [ids[1], ids[0]], more: false });
    expect(await page(accountId, { behind: ids[0]! })).toMatchObject({ ids: [], count: 5, more: false });
  }); // prettier-ignore

  it('of a user who has old entries alone shows them, where the last months have those of others [contract 6]', async () => {
    const accountId = randomUUID();
    const old = await log.add(accountId, [340, 330, 250].map((days) => entry(days, { user: BOB })));
    await log.add(accountId, Array.from({ length: 60 }, (_, n) => entry(200 - n * 3)));
    for (const folded of [300, 100, 0]) {
      await foldAll(accountId, folded);
      const filters = { user: BOB };
      expect(await page(accountId, { filters })).toMatchObject({ ids: [...old].reverse(), count: 3, more: false });
      expect(await page(accountId, { filters, offset: 2 })).toMatchObject({ ids: [old[0]], count: 3 });
      const both = { user: BOB, router: OTHER };
      expect(await page(accountId, { filters: both })).toMatchObject({ ids: [], count: 0, more: false });
    }
  }); // prettier-ignore

  it('far down is read of the months in which it lies, with two statements [contract 6]', async () => {
    const accountId = randomUUID();
    const ids = await log.add(accountId, Array.from({ length: 350 }, (_, n) => entry(350 - n)));
    await foldAll(accountId, 0);
    const seen = await page(accountId, { offset: 300 });
    expect(seen).toEqual({ ids: [ids[49], ids[48], ids[47]], count: 350, more: true, statements: 2 });
    expect(await page(accountId, { behind: ids[50]! })).toEqual({ ...seen, statements: 1 });
  }); // prettier-ignore

  it('has the entries of times to come, which a clock has left [contract 6]', async () => {
    const accountId = randomUUID();
    const ids = await log.add(accountId, [entry(-400), entry(-20), entry(1)]);
    expect(await page(accountId, {})).toMatchObject({ ids, count: 3 });
  });
});

describe('The rest of a log of a month that is over', () => {
  it('is folded though it is no whole batch, so that pages are counted in the last months [contract 6]', async () => {
    const accountId = randomUUID();
    const ids = await log.add(accountId, [entry(340), entry(300), entry(1)]);
    const until = { settled: new Date(NOW), overdue: monthStart(new Date(NOW - 200 * DAY), 0) };
    const find = (): Promise<string[]> => log.folds.findDue(log.database, [accountId], until);
    const fold = (): Promise<boolean> => log.database.transaction((tx) => log.folds.fold(tx, { accountId }, until));
    expect(await find()).toEqual([accountId]);
    expect(await fold()).toBe(true);
    expect([await find(), await fold()]).toEqual([[], false]);
    expect(await page(accountId, {})).toMatchObject({ ids: [...ids].reverse(), count: 3 });
    const more = await log.add(accountId, [entry(0.9), entry(0.8), entry(0.7)]);
    expect(await page(accountId, {})).toEqual({ ids: more.reverse(), count: 6, more: true, statements: 1 });
  }); // prettier-ignore
});

/** The partitions that a statement opens, with a plan that is made for any values. */
async function opened({ name, text }: Statement, values: readonly (string | number)[]): Promise<string[]> {
  await log.client.query('BEGIN');
  await log.client.query(PLAN_ONCE.text);
  await log.client.query(`PREPARE ${name} AS ${text}`);
  const given = values.map((value) => (typeof value === 'number' ? value : `'${value}'`)).join(', ');
  const { rows } = await log.client.query<{ 'QUERY PLAN': string }>(
    `EXPLAIN (COSTS OFF) EXECUTE ${name} (${given})`,
  );
  await log.client.query(`ROLLBACK; DEALLOCATE ${name}`);
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
  const used = [...plan.matchAll(/ on (assignments_(?:first|later|\d{4}_\d{2}))/g)].map(([, part]) => part!);
  return [...new Set(used)].sort();
}

it.each([
  ['offset', []],
  ['offset', ['router']],
  ['offset', ['user']],
  ['offset', ['router', 'user']],
  ['offset', ['object']],
  ['after', []],
  ['after', ['router', 'user']],
] as const)('a page at an %s of %j opens no month before those that it is looked for in', async (start, filters) => {
  const object = OBJECTS[1]!;
  const behind = start === 'after' ? firstIdAt(new Date(NOW)) : undefined;
  const { counted, from, to } = likelyRange({ object: (filters as readonly string[]).includes('object') ? object : undefined, behind }, NOW);
  const values = { router: ROUTER, user: ADA, object };
  const given = [randomUUID(), 3, counted, from, to, ...(start === 'after' ? [] : [0]), ...filters.map((name) => values[name])];
  const parts = await opened(listAssignments(filters, start), given);
  const first = `assignments_${new Date(Number.parseInt(from.replace('-', '').slice(0, 12), 16)).toISOString().slice(0, 7).replace('-', '_')}`;
  expect(parts[0]).toBe(first);
  expect(parts).toContain('assignments_later');
}); // prettier-ignore

interface Made {
  readonly days: number;
  readonly router: string;
  readonly user: string | null;
  readonly object: number;
}

const made = fc.record<Made>({
  days: fc.oneof(fc.integer({ min: -30, max: 350 }), fc.integer({ min: 0, max: 70 })),
  router: fc.constantFrom(ROUTER, OTHER),
  user: fc.constantFrom(ADA, BOB, null),
  object: fc.nat({ max: 1 }),
});

const wanted = fc.record({
  limit: fc.integer({ min: 1, max: 12 }),
  offset: fc.nat({ max: 60 }),
  filters: fc.record(
    {
      router: fc.constantFrom(ROUTER, OTHER),
      user: fc.constantFrom(ADA, BOB),
      object: fc.constantFrom(...OBJECTS),
    },
    { requiredKeys: [] },
  ),
});

it('a page is that of the whole log, in whatever months its entries lie, folded or not [contract 3, contract 6]', async () => {
  const given = fc.array(made, { minLength: 1, maxLength: 60 });
  const pages = fc.array(wanted, { minLength: 8, maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(given, fc.integer({ min: -40, max: 360 }), pages, async (all, folded, asked) => {
      const accountId = randomUUID();
      // No entry is older than its record.
      const entries = all.map(({ days, object, ...of }, n) =>
        entry(Math.min(days, object === 1 ? 100 : 350) + n / 1_000, { ...of, object: OBJECTS[object]! }));
      const ids = await log.add(accountId, entries);
      await foldAll(accountId, folded);
      for (const { limit, offset, filters } of asked) {
        const matching = entries
          .flatMap((each, n) => (Object.entries(filters).every(([name, value]) => each[name as AssignmentFilter] === value) ? [ids[n]!] : []))
          .sort().reverse();
        const start = offset % (matching.length + 2);
        const { statements: _, ...seen } = await page(accountId, { limit, offset: start, filters });
        const shown = matching.slice(start, start + limit);
        expect(seen).toEqual({ ids: shown, count: matching.length, more: start + shown.length < matching.length });
        const behind = matching[start] ?? ids[0]!;
        const { statements: __, ...next } = await page(accountId, { limit, behind, filters });
        const rest = matching.filter((id) => id < behind);
        expect(next).toEqual({ ids: rest.slice(0, limit), count: matching.length, more: rest.length > limit });
      }
    }),
    { numRuns: storm(60) },
  );
}); // prettier-ignore
