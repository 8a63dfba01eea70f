import { Logger } from '@nestjs/common';
import { DatabaseUnavailableError, type Database } from '../../database/index.js';
import { LogMonths } from './log-months.js';
import type { MonthDropper } from './month-dropper.js';
import type { MonthMaker } from './month-maker.js';
import { monthStart } from './month.js';

const NOW = new Date(Date.UTC(2026, 5, 10));

let said: string[];
/** What the fakes do and were told. */
let clock: Date;
let end: string | null;
let failure: Error | undefined;
let droppedAt: Date | undefined;
let months: LogMonths;

beforeEach(() => {
  said = [];
  for (const level of ['log', 'warn', 'error'] as const) {
    jest
      .spyOn(Logger.prototype, level)
      .mockImplementation((...[text]: unknown[]) => void said.push(`${level}: ${String(text)}`));
  }
  jest.useFakeTimers({ now: NOW });
  [clock, end, failure, droppedAt] = [NOW, monthStart(NOW, 2), undefined, undefined];
  const maker = {
    make: (now: Date) =>
      failure === undefined
        ? Promise.resolve({ assignments: now === clock ? ['2026_10'] : [], assignment_traces: [] })
        : Promise.reject(failure),
    end: () => Promise.resolve(end),
  };
  const dropper = { drop: (now: Date) => ((droppedAt = now), Promise.resolve(['assignments_2026_01'])) };
  months = new LogMonths(
    { query: () => Promise.resolve([{ at: clock }]) } as unknown as Database,
    maker as unknown as MonthMaker,
    dropper as unknown as MonthDropper,
  );
});
afterEach(() => {
  jest.restoreAllMocks();
  jest.useRealTimers();
});

it('says which months were made and dropped, and nothing of those that are there', async () => {
  await months.turn();
  expect(said).toEqual([
    'log: The assignment log has partitions for 2026_10',
    'log: Older than their retention, and dropped: assignments_2026_01',
  ]);
});

it('drops what is old by the clock of the database and by its own, whichever is behind', async () => {
  clock = new Date(NOW.getTime() - 5_000);
  await months.turn();
  expect(droppedAt).toEqual(clock);
  clock = new Date(NOW.getTime() + 1e9);
  await months.turn();
  expect(droppedAt).toEqual(NOW);
});

it('warns when the month after the next has no partition', async () => {
  end = monthStart(NOW, 1);
  await months.turn();
  expect(said.at(-1)).toMatch(
    /^warn: .*no partition of its own for entries from 2026-07-01T00:00:00.000Z on/,
  );
  end = null;
  await months.turn();
  expect(said.at(-1)).not.toContain('warn');
});

it.each([
  [new Error('no space'), ['error: Partitions of the assignment log could not be made: no space']],
  [
    Object.assign(new Error('lock timeout'), { code: '55P03' }),
    ['error: Partitions of the assignment log could not be made: lock timeout'],
  ],
  [new DatabaseUnavailableError(new Error('gone'), true), []],
])(
  'goes on to drop after a failure, of which it tells unless the database is away: %s',
  async (error, told) => {
    failure = error;
    await months.turn();
    expect(droppedAt).toEqual(NOW);
    expect(said.slice(0, -1)).toEqual(told);
  },
);

it('runs at the start and once an hour, and ends after what is under way', async () => {
  months.onApplicationBootstrap();
  await jest.advanceTimersByTimeAsync(3_600_000);
  expect(said.filter((text) => text.includes('2026_10'))).toHaveLength(2);
  await months.onModuleDestroy();
  await jest.advanceTimersByTimeAsync(7_200_000);
  expect(said.filter((text) => text.includes('2026_10'))).toHaveLength(2);
});
