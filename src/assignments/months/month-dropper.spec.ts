import { firstIdAt } from '../../database/index.js';
import { FakeDatabase } from '../../../test/units/fake-database.js';
import type { Database } from '../../database/index.js';
import type { LogMonthsRepository } from './log-months.repository.js';
import { MonthDropper } from './month-dropper.js';
import type { LogTable } from './partitions.statements.js';

const NOW = new Date(Date.UTC(2026, 5, 10));
const ago = (days: number): string => firstIdAt(new Date(NOW.getTime() - days * 86_400_000));

/** Two tables of three partitions, with the first ids behind them. */
class FakeMonths {
  readonly dropped: string[] = [];
  isLocked = true;
  parts = ['first', 'old', 'older'];
  constructor(private readonly ends: readonly (string | null)[]) {}

  list(_: unknown, table: LogTable): Promise<unknown[]> {
    const left = this.parts.map((part, n) => ({
      name: `${table} ${part}`,
      from: null,
      to: this.ends[n] ?? null,
    }));
    return Promise.resolve(left.filter(({ name }) => !this.dropped.includes(name)));
  }
  lock(): Promise<boolean> {
    return Promise.resolve(this.isLocked);
  }
  hasEntries(): Promise<boolean> {
    return Promise.resolve(true);
  }
  dropFirst(_: unknown, __: LogTable, { names }: { names: string[] }): Promise<void> {
    this.dropped.push(...names);
    return Promise.resolve();
  }
}

const dropper = (months: FakeMonths, days: object): MonthDropper =>
  new MonthDropper(new FakeDatabase() as unknown as Database, months as unknown as LogMonthsRepository, days);

describe('months are dropped', () => {
  const ends = [ago(100), ago(70), ago(10)];

  it.each([
    [{}, []],
    [{ TRACE_RETENTION_DAYS: 70 }, ['assignment_traces old']],
    [{ TRACE_RETENTION_DAYS: 71 }, ['assignment_traces first']],
    [{ ASSIGNMENT_RETENTION_DAYS: 70 }, ['assignments old', 'assignment_traces old']],
    [
      { ASSIGNMENT_RETENTION_DAYS: 90, TRACE_RETENTION_DAYS: 20 },
      ['assignments first', 'assignment_traces old'],
    ],
    [
      { ASSIGNMENT_RETENTION_DAYS: 70, TRACE_RETENTION_DAYS: 400 },
      ['assignments old', 'assignment_traces old'],
    ],
    [{ ASSIGNMENT_RETENTION_DAYS: 200 }, []],
  ])('by the retention of each table, and traces with their entries: %j', async (days, names) => {
    expect(await dropper(new FakeMonths(ends), days).drop(NOW)).toEqual(names);
  });

  it('never where they have no end, nor without the lock', async () => {
    expect(await dropper(new FakeMonths([null]), { TRACE_RETENTION_DAYS: 1 }).drop(NOW)).toEqual([]);
    const held = new FakeMonths(ends);
    held.isLocked = false;
    expect(await dropper(held, { TRACE_RETENTION_DAYS: 1 }).drop(NOW)).toEqual([]);
    expect(held.dropped).toEqual([]);
  });
});
