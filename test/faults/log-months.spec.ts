import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { FOLD_SIZES } from '../../src/assignments/fold/fold.statements.js';
import { LogCheck } from '../../src/assignments/fold/log-check.js';
import { LogChecksRepository } from '../../src/assignments/fold/log-checks.repository.js';
import { Database } from '../../src/database/index.js';
import { LogDeleter } from '../../src/assignments/deletion/log-deleter.js';
import { LogDeletionsRepository } from '../../src/assignments/deletion/log-deletions.repository.js';
import { DividedLog, type MadeEntry } from '../support/divided-log.js';

const USER = 'ada@acme.test';
const ROUTER = randomUUID();
const START = Date.UTC(2026, 0, 1);
const DAY = 86_400_000;
const MONTHS = ['2026_01', '2026_02', '2026_03'].map((name) => `assignments_${name}`);

let log: DividedLog;
beforeAll(async () => (log = await DividedLog.open(new Date(START))));
afterAll(() => log.close());

const entries = (count: number, from: number, step: number): MadeEntry[] =>
  Array.from({ length: count }, (_, n) => ({ at: new Date(from + n * step), router: ROUTER, user: USER }));

/** Writes from an instant on, folds and reads the log of an account while `work` runs. */
async function during(
  accountId: string,
  now: Date,
  work: (looks: readonly number[], isWorking: () => boolean) => Promise<void>,
): Promise<readonly number[]> {
  const state = { working: true };
  const isWorking = (): boolean => state.working;
  const write = async (): Promise<void> => {
    for (let n = 0; isWorking() && n < 200; n++)
      await log.add(accountId, entries(5, now.getTime() + n * 1_000, 1));
  };
  const fold = async (): Promise<void> => {
    while (isWorking()) await log.fold(accountId, new Date(now.getTime() + DAY), FOLD_SIZES);
  };
  const looks: number[] = [];
  const look = async (): Promise<void> => {
    const page = { limit: 1_000_000, offset: 0, behind: undefined };
    while (isWorking()) {
      for (const filters of [new Map(), new Map([['router', ROUTER] as const])]) {
        const { rows, count } = await log.log.list(log.database, { accountId }, { ...page, filters });
        expect(count).toBe(rows.length);
        looks.push(count);
      }
    }
  };
  const others = Promise.all([write(), fold(), look(), look()]).finally(() => (state.working = false));
  try {
    await work(looks, isWorking);
  } finally {
    state.working = false;
    await others;
  }
  const check = new LogCheck(log.database, new LogChecksRepository(), log.folds);
  expect((await check.compare({ accountId })).wrong).toBe(0);
  return looks;
}

it('A log that is written, folded and shortened at once has the number of entries that a page of all shows [contract 6]', async () => {
  const accountId = randomUUID();
  const now = new Date(Date.UTC(2026, 5, 15));
  await log.months.make(now);
  // 150 days, and a tail of which a part is in the months that go.
  await log.add(accountId, entries(4_400, START, (150 * DAY) / 4_400));
  const dropped: string[] = [];
  const looks = await during(accountId, now, async (seen, isWorking) => {
    for (let month = 2; month < 6 && isWorking(); month++) {
      dropped.push(...(await log.dropper.drop(new Date(Date.UTC(2026, month, 5)))));
      const before = seen.length;
      while (isWorking() && seen.length < before + 4) await new Promise(setImmediate);
    }
  });
  expect(dropped.filter((name) => name.startsWith('assignments_'))).toEqual(MONTHS);
  expect(Math.min(...looks)).toBeLessThan(4_400);
}, 300_000);

/** On a slow machine, more cuts would leave no time to delete. */
const MOST_CUTS = 3;

/** Ends the sessions that are deleting entries. */
const CUT = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE datname = current_database() AND query LIKE '%DELETE FROM assignment_traces%' AND pid <> pg_backend_pid()`;

it('So has one whose old entries two processes delete, which are cut off again and again [contract 6]', async () => {
  const [accountId, other] = [randomUUID(), randomUUID()];
  const now = new Date();
  const made = entries(4_400, now.getTime() - 200 * DAY, (199 * DAY) / 4_400);
  for (const each of [accountId, other]) await log.add(each, made);
  const sources = await Promise.all([1, 2].map(() => DividedLog.connect(log.test.url)));
  const deleters = sources.map(
    (source) => new LogDeleter(Database.of(source), new LogDeletionsRepository(), log.folds),
  );
  let cuts = 0;
  const looks = await during(accountId, now, async (seen, isWorking) => {
    const deleting = (async (): Promise<void> => {
      for (const days of [180, 120, 70]) {
        await Promise.all(deleters.map((each) => each.delete({ accountId }, { days, atOnce: 150 })));
        const before = seen.length;
        while (isWorking() && seen.length < before + 4) await new Promise(setImmediate);
      }
    })();
    const state = { deleting: true };
    const cutting = (async (): Promise<void> => {
      while (state.deleting && cuts < MOST_CUTS) {
        cuts += (await log.client.query(CUT)).rowCount ?? 0;
        await delay(100);
      }
    })();
    await deleting.finally(() => (state.deleting = false));
    await cutting;
  });
  await Promise.all(sources.map((source) => source.destroy()));

  expect(cuts).toBeGreaterThan(0);
  expect(Math.min(...looks)).toBeLessThan(4_400);
  const kept = made.filter(({ at }) => at.getTime() >= now.getTime() - 70 * DAY).length;
  const { rows } = await log.client.query<{ account: string; entries: number }>(
    'SELECT account_id AS account, count(*)::int AS entries FROM assignments WHERE created_at < $1 GROUP BY 1',
    [now],
  );
  const left = new Map(rows.map(({ account, entries: count }) => [account, count]));
  expect([left.get(accountId), left.get(other)]).toEqual([kept, made.length]);
}, 300_000);
