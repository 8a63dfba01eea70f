import type { AccountsRepository } from '../../accounts/index.js';
import type { Database } from '../../database/index.js';
import { LogFolder } from './log-folder.js';
import type { FoldedUntil, LogFoldsRepository } from './log-folds.repository.js';
import { LogGrowth } from './log-growth.js';
import type { Observation } from '../../database/index.js';

/** Logs with a number of whole batches each. Every transaction has ended at the next look. */
class FakeFolds {
  readonly batches = new Map<string, number>();
  readonly asked: string[][] = [];
  observed = 0;
  failure: Error | undefined;
  /** Called with each batch. */
  onFold: (accountId: string) => void = () => undefined;

  observe(): Promise<Observation> {
    if (this.failure !== undefined) return Promise.reject(this.failure);
    const id = BigInt(++this.observed);
    return Promise.resolve({ at: new Date(60_000), id, running: id });
  }

  findDue(_: unknown, accountIds: readonly string[], until: FoldedUntil): Promise<string[]> {
    expect(until).toEqual({ settled: new Date(55_000), overdue: '00000000-0000-0000-0000-000000000000' });
    this.asked.push([...accountIds]);
    return Promise.resolve(accountIds.filter((id) => this.left(id) > 0));
  }

  fold(_: unknown, { accountId }: { accountId: string }): Promise<boolean> {
    this.onFold(accountId);
    const left = this.left(accountId);
    this.batches.set(accountId, Math.max(0, left - 1));
    return Promise.resolve(left > 0);
  }

  left(accountId: string): number {
    return this.batches.get(accountId) ?? 0;
  }
}

const database = {
  read: <T>(work: () => Promise<T>) => work(),
  transaction: <T>(work: (tx: object) => Promise<T>) => work({}),
};

let folds: FakeFolds;
let growth: LogGrowth;
let accounts: string[];
let folder: LogFolder;
let logged: string[];

beforeEach(() => {
  folds = new FakeFolds();
  growth = new LogGrowth();
  accounts = [];
  logged = [];
  const list = () => Promise.resolve(accounts.map((id) => ({ id })));
  folder = new LogFolder(
    database as unknown as Database,
    { list } as unknown as AccountsRepository,
    growth,
    folds as unknown as LogFoldsRepository,
  );
  Object.assign(folder, { logger: { error: (message: string) => logged.push(message) } });
});

const turns = async (count: number): Promise<void> => {
  for (let n = 0; n < count; n++) await folder.foldGrown();
};

it('asks for nothing where no log has grown', async () => {
  await turns(2);
  expect([folds.observed, folds.asked]).toEqual([0, []]);
});

it('folds a log that has grown, once it knows which ids are settled', async () => {
  folds.batches.set('acme', 2);
  growth.note('acme', 500);
  await turns(1);
  expect([folds.asked, folds.left('acme')]).toEqual([[], 2]);
  await turns(1);
  expect([folds.asked, folds.left('acme')]).toEqual([[['acme']], 0]);
  await turns(1);
  expect(folds.asked).toHaveLength(1);
});

it('folds every log at its start, 50 batches of one at a time, until none is left', async () => {
  accounts = ['acme', 'other'];
  folds.batches.set('acme', 120).set('other', 1);
  await folder.lookAtAll();
  await turns(2);
  expect([folds.left('acme'), folds.left('other')]).toEqual([70, 0]);
  await turns(2);
  expect([folds.left('acme'), folds.asked]).toEqual([0, [['acme', 'other'], ['acme'], ['acme']]]);
  await turns(1);
  expect(folds.asked).toHaveLength(3);
}); // prettier-ignore

it('looks at 500 accounts with one statement', async () => {
  accounts = Array.from({ length: 1_001 }, (_, n) => `account ${n}`);
  await folder.lookAtAll();
  await turns(2);
  expect(folds.asked.map(({ length }) => length)).toEqual([500, 500, 1]);
});

it('folds a log again that could not be folded', async () => {
  folds.batches.set('acme', 2);
  growth.note('acme', 500);
  folds.onFold = () => {
    throw new Error('away');
  };
  await turns(1);
  await expect(turns(1)).rejects.toThrow('away');
  folds.onFold = () => undefined;
  await turns(1);
  expect(folds.left('acme')).toBe(0);
});

describe('in a running service', () => {
  beforeEach(() => {
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'performance', 'setTimeout'] });
  });
  afterEach(() => {
    jest.restoreAllMocks();
    jest.useRealTimers();
  });

  const second = async (): Promise<void> => {
    jest.advanceTimersByTime(1_000);
    await new Promise(setImmediate);
  };

  it('folds at its start, each second what has grown, and each hour all, until it stops', async () => {
    accounts = ['acme'];
    folder.onApplicationBootstrap();
    await new Promise(setImmediate);
    await second();
    await second();
    expect(folds.asked).toEqual([['acme']]);
    growth.note('other', 500);
    await second();
    expect(folds.asked).toEqual([['acme'], ['other']]);
    for (let n = 0; n < 3_600; n++) await second();
    expect(folds.asked).toEqual([['acme'], ['other'], ['acme']]);
    await folder.onModuleDestroy();
    growth.note('other', 500);
    await second();
    expect(folds.asked).toHaveLength(3);
  });

  it('ends after the batch that is under way', async () => {
    folds.batches.set('acme', 9);
    growth.note('acme', 500);
    await turns(1);
    let stopped: Promise<void> | undefined;
    folds.onFold = () => void (stopped ??= folder.onModuleDestroy());
    await turns(1);
    await stopped;
    expect(folds.left('acme')).toBe(8);
  });

  it('logs what fails, but not that the database is away, pauses and goes on', async () => {
    jest.spyOn(performance, 'now').mockImplementation(() => Date.now());
    folder.onApplicationBootstrap();
    await new Promise(setImmediate);
    growth.note('acme', 500);
    for (const failure of [new Error('a mistake'), Object.assign(new Error('ended'), { code: '57P01' })]) {
      folds.failure = failure;
      await second();
      folds.failure = undefined;
      for (let n = 0; n < 13; n++) await second();
      expect(folds.asked).toEqual([]);
      await second();
    }
    expect(logged).toEqual(['The log could not be folded: a mistake']);
    for (let n = 0; n < 3; n++) await second();
    expect(folds.asked).toEqual([['acme']]);
    await folder.onModuleDestroy();
  });
});
