import { randomUUID } from 'node:crypto';
import { FOLD_SIZES } from '../../src/assignments/fold/fold.statements.js';
import { LogCheck } from '../../src/assignments/fold/log-check.js';
import { LogChecksRepository } from '../../src/assignments/fold/log-checks.repository.js';
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

it('A log that is written, folded and shortened at once has the number of entries that a page of all shows [contract 6]', async () => {
  const accountId = randomUUID();
  const now = new Date(Date.UTC(2026, 5, 15));
  await log.months.make(now);
  // 150 days, and a tail of which a part is in the months that go.
  await log.add(accountId, entries(4_400, START, (150 * DAY) / 4_400));
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
  const dropped: string[] = [];
  for (let month = 2; month < 6 && isWorking(); month++) {
    dropped.push(...(await log.dropper.drop(new Date(Date.UTC(2026, month, 5)))));
    const seen = looks.length;
    while (isWorking() && looks.length < seen + 4) await new Promise(setImmediate);
  }
  state.working = false;
  await others;
  expect(dropped.filter((name) => name.startsWith('assignments_'))).toEqual(MONTHS);
  expect(Math.min(...looks)).toBeLessThan(4_400);
  const check = new LogCheck(log.database, new LogChecksRepository(), log.folds);
  expect((await check.compare({ accountId })).wrong).toBe(0);
}, 60_000);
