import type { Database } from '../../database/index.js';
import { HistoryPruner } from './history.pruner.js';
import type { RecordHistoryRepository } from './record-history.repository.js';

describe('pruning the history', () => {
  it('ends with the statement that runs when the service stops, which waits for it', async () => {
    const begun: (() => void)[] = [];
    const drop = (): Promise<number> => new Promise((done) => begun.push(() => done(1_000)));
    const pruner = new HistoryPruner({} as Database, { drop } as unknown as RecordHistoryRepository, {
      HISTORY_RETENTION_DAYS: 30,
    });
    const turn = (): Promise<void> => new Promise((done) => setImmediate(done));
    pruner.onApplicationBootstrap();
    await turn();
    begun.shift()?.();
    while (begun.length === 0) await turn();
    expect(begun).toHaveLength(1);
    let isStopped = false;
    const stopped = pruner.onModuleDestroy().then(() => (isStopped = true));
    await turn();
    expect(isStopped).toBe(false);
    begun.shift()?.();
    await stopped;
    expect(begun).toEqual([]);
  });
});
