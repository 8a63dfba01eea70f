import type { AccountsRepository } from '../accounts/index.js';
import type { Database } from '../database/index.js';
import { FakeDatabase } from '../../test/units/fake-database.js';
import { firstIdAt } from '../database/index.js';
import type { AssignmentsRepository, TraceRange } from './assignments.repository.js';
import { TracePruner } from './trace-pruner.js';

const NOW = new Date('2026-06-10T12:00:00Z');
const BEFORE = firstIdAt(new Date('2026-05-11T12:00:00Z'));
const START = firstIdAt(new Date(0));

/** An assignment log with a given number of old traces for each account. Their ids are numbers. */
class FakeLog {
  readonly ranges: (TraceRange & { readonly accountId: string })[] = [];
  failure: Error | undefined;

  constructor(private readonly left: Map<string, number>) {}

  dropTraces(_: unknown, { accountId }: { accountId: string }, range: TraceRange): Promise<string[]> {
    if (this.failure !== undefined) return Promise.reject(this.failure);
    this.ranges.push({ accountId, ...range });
    const left = this.left.get(accountId) ?? 0;
    const dropped = Math.min(left, range.limit);
    this.left.set(accountId, left - dropped);
    return Promise.resolve(Array.from({ length: dropped }, (_, n) => `${accountId} ${left - dropped} ${n}`));
  }
}

function prunerOf(log: FakeLog, accounts: readonly string[], TRACE_RETENTION_DAYS = 30) {
  const list = () => Promise.resolve(accounts.map((id) => ({ id })));
  return new TracePruner(
    new FakeDatabase() as unknown as Database,
    { list } as unknown as AccountsRepository,
    log as unknown as AssignmentsRepository,
    { TRACE_RETENTION_DAYS },
  );
}

describe('TracePruner', () => {
  it('drops what is older than the retention, of every account', async () => {
    const log = new FakeLog(new Map([['a', 3], ['b', 4]])); // prettier-ignore
    expect(await prunerOf(log, ['a', 'b']).prune(NOW)).toBe(7);
    expect(log.ranges).toEqual([
      { accountId: 'a', from: START, before: BEFORE, limit: 1_000 },
      { accountId: 'b', from: START, before: BEFORE, limit: 1_000 },
    ]);
  });

  it('goes on after each 1,000 until nothing is left, from the last one dropped', async () => {
    const log = new FakeLog(new Map([['a', 2_002]]));
    expect(await prunerOf(log, ['a']).prune(NOW)).toBe(2_002);
    expect(log.ranges.map(({ from }) => from)).toEqual([START, 'a 1002 999', 'a 2 999']);
  });

  it('asks once more where exactly 1,000 were left', async () => {
    const log = new FakeLog(new Map([['a', 1_000]]));
    expect(await prunerOf(log, ['a']).prune(NOW)).toBe(1_000);
    expect(log.ranges).toHaveLength(2);
  });

  it('looks next time only at what has become old since', async () => {
    const log = new FakeLog(new Map([['a', 1]]));
    const pruner = prunerOf(log, ['a']);
    await pruner.prune(NOW);
    const later = new Date(NOW.getTime() + 3_600_000);
    await pruner.prune(later);
    expect(log.ranges[1]).toMatchObject({
      from: BEFORE,
      before: firstIdAt(new Date('2026-05-11T13:00:00Z')),
    });
  });

  it('goes on from the same place after a failure', async () => {
    const log = new FakeLog(new Map([['a', 1]]));
    const pruner = prunerOf(log, ['a']);
    log.failure = new Error('away');
    await expect(pruner.prune(NOW)).rejects.toThrow('away');
    log.failure = undefined;
    expect(await pruner.prune(NOW)).toBe(1);
    expect(log.ranges[0]).toMatchObject({ from: START });
  });

  it('does nothing without a retention', async () => {
    const log = new FakeLog(new Map([['a', 1]]));
    const pruner = new TracePruner(
      new FakeDatabase() as unknown as Database,
      {} as AccountsRepository,
      log as unknown as AssignmentsRepository,
      {},
    );
    expect(await pruner.prune(NOW)).toBe(0);
    expect(log.ranges).toEqual([]);
  });

  describe('in a running service', () => {
    beforeEach(() => {
      jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'performance'] });
    });
    afterEach(() => {
      jest.useRealTimers();
    });

    it('prunes at the start and every hour, until it stops', async () => {
      const log = new FakeLog(new Map([['a', 1]]));
      const pruner = prunerOf(log, ['a']);
      pruner.onApplicationBootstrap();
      await new Promise(setImmediate);
      expect(log.ranges).toHaveLength(1);
      jest.advanceTimersByTime(3_600_000);
      await new Promise(setImmediate);
      expect(log.ranges).toHaveLength(2);
      await pruner.onModuleDestroy();
      jest.advanceTimersByTime(7_200_000);
      await new Promise(setImmediate);
      expect(log.ranges).toHaveLength(2);
    });

    it.each([
      ['an error', new Error('away')],
      ['what is no error', 'away'],
    ])('survives a failure, which it logs, and tries again: %s', async (_, failure) => {
      const log = new FakeLog(new Map([['a', 1]]));
      const pruner = prunerOf(log, ['a']);
      const logged: string[] = [];
      Object.assign(pruner, { logger: { error: (message: string) => logged.push(message) } });
      log.failure = failure as Error;
      pruner.onApplicationBootstrap();
      await new Promise(setImmediate);
      expect(logged).toEqual(['Traces could not be pruned: away']);
      log.failure = undefined;
      jest.advanceTimersByTime(3_600_000);
      await new Promise(setImmediate);
      expect(log.ranges).toHaveLength(1);
      await pruner.onModuleDestroy();
    });

    it('keeps no process alive that has nothing else to do', async () => {
      const started = jest.spyOn(globalThis, 'setInterval');
      const pruner = prunerOf(new FakeLog(new Map()), []);
      pruner.onApplicationBootstrap();
      const timer = started.mock.results[0]?.value as NodeJS.Timeout;
      expect(timer.hasRef()).toBe(false);
      await pruner.onModuleDestroy();
      started.mockRestore();
    });

    it('sets no timer without a retention', () => {
      const pruner = new TracePruner(
        new FakeDatabase() as unknown as Database,
        {} as AccountsRepository,
        {} as AssignmentsRepository,
        {},
      );
      pruner.onApplicationBootstrap();
      expect(jest.getTimerCount()).toBe(0);
    });
  });
});
