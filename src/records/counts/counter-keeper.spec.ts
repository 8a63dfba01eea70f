import { CounterKeeper } from './counter-keeper.js';
import type { TypeCounters } from './count-truth.js';
import type { CountersRepository, NeededCounters } from './counters.repository.js';

const CONTACTS = { accountId: 'acme', objectType: 'contacts' } as const;

/** New counters, and what was done with them. */
class Counters {
  found: TypeCounters[] = [];
  readonly kept: string[] = [];
  readonly seeded: (readonly string[])[] = [];
  isLocked = false;
  /** The oldest transaction that runs; the next one otherwise. */
  running: bigint | undefined;
  id = 100n;
  observations = 0;

  keep({ accountId, version }: NeededCounters): Promise<boolean> {
    this.kept.push(`${accountId} ${version}`);
    return Promise.resolve(!this.isLocked);
  }

  findNew(): Promise<TypeCounters[]> {
    return Promise.resolve(this.found);
  }

  observe(): Promise<object> {
    this.observations++;
    const id = this.id++;
    return Promise.resolve({ at: new Date(0), id, running: this.running ?? id });
  }

  async seed({ counters }: TypeCounters, signal: AbortSignal): Promise<void> {
    await Promise.resolve();
    signal.throwIfAborted();
    this.seeded.push(counters);
  }
}

let counters: Counters;
let keeper: CounterKeeper;
const need = (version: string, accountId = 'acme'): void => keeper.need({ accountId, version, counted: [] });

beforeEach(() => {
  counters = new Counters();
  keeper = new CounterKeeper(counters as unknown as CountersRepository);
});

describe('the keeper of counters', () => {
  it('keeps those of the newest configuration of each account, once', async () => {
    need('9');
    need('10');
    need('9');
    need('3', 'other');
    await keeper.run();
    need('10');
    await keeper.run();
    expect(counters.kept).toEqual(['acme 10', 'other 3']);
    need('11');
    await keeper.run();
    expect(counters.kept.slice(2)).toEqual(['acme 11']);
  });

  it('tries again where another transaction changes the counts of the account', async () => {
    counters.isLocked = true;
    need('1');
    await keeper.run();
    counters.isLocked = false;
    await keeper.run();
    await keeper.run();
    expect(counters.kept).toEqual(['acme 1', 'acme 1']);
  });

  it('looks at no transaction where no counter is new', async () => {
    await keeper.run();
    expect(counters.observations).toBe(0);
  });

  it('counts for a new counter when all transactions have ended that may not know it', async () => {
    counters.found = [{ ...CONTACTS, counters: ['a'] }];
    counters.running = 90n;
    await keeper.run();
    counters.running = 100n;
    await keeper.run();
    expect(counters.seeded).toEqual([]);
    counters.found = [{ ...CONTACTS, counters: ['a', 'b'] }];
    counters.running = 101n;
    await keeper.run();
    expect(counters.seeded).toEqual([['a']]);
    counters.found = [{ ...CONTACTS, counters: ['b'] }];
    counters.running = undefined;
    await keeper.run();
    expect(counters.seeded).toEqual([['a'], ['b']]);
  });

  it('forgets a counter that is not new any more, so that its return is new again', async () => {
    const found = [{ ...CONTACTS, counters: ['a'] }];
    counters.found = found;
    await keeper.run();
    counters.found = [];
    await keeper.run();
    counters.found = found;
    await keeper.run();
    expect(counters.seeded).toEqual([]);
  });

  it('begins anew with another server, whose transactions have lower ids', async () => {
    counters.found = [{ ...CONTACTS, counters: ['a'] }];
    await keeper.run();
    counters.id = 5n;
    await keeper.run();
    expect(counters.seeded).toEqual([]);
    await keeper.run();
    expect(counters.seeded).toEqual([['a']]);
  });

  it('goes on with other types where one fails, and tells', async () => {
    counters.found = [
      { ...CONTACTS, counters: ['a'] },
      { ...CONTACTS, objectType: 'deals', counters: ['b'] },
    ];
    await keeper.run();
    const failure = new Error('of the first');
    const seed = jest.spyOn(counters, 'seed').mockRejectedValueOnce(failure).mockResolvedValueOnce();
    await expect(keeper.run()).rejects.toBe(failure);
    expect(seed).toHaveBeenCalledTimes(2);
  });

  it('ends in a shutdown, without an error', async () => {
    counters.found = [{ ...CONTACTS, counters: ['a'] }];
    await keeper.run();
    keeper.stop();
    await keeper.run();
    expect(counters.seeded).toEqual([]);
  });
});
