import { Background, type Database } from '../../database/index.js';
import { HistoryPruner } from './history.pruner.js';
import type { RecordHistoryRepository } from './record-history.repository.js';

describe('pruning the history', () => {
  it('ends with the statement that runs when the service stops, which waits for it', async () => {
    const begun: (() => void)[] = [];
    const drop = (): Promise<number> => new Promise((done) => begun.push(() => done(1_000)));
    const background = new Background();
    const history = { drop } as unknown as RecordHistoryRepository;
    new HistoryPruner({} as Database, history, { HISTORY_RETENTION_DAYS: 30 }, background);
    const turn = (): Promise<void> => new Promise((done) => setImmediate(done));
    background.onApplicationBootstrap();
    await turn();
    begun.shift()?.();
    while (begun.length === 0) await turn();
    expect(begun).toHaveLength(1);
    let isStopped = false;
    const stopped = background.onModuleDestroy().then(() => (isStopped = true));
    await turn();
    expect(isStopped).toBe(false);
    begun.shift()?.();
    await stopped;
    expect(begun).toEqual([]);
  });
});
