import type { ClientStatus } from './api-clients.repository.js';
import { SharedLookups } from './shared-lookups.js';

const known = (accountId: string): ClientStatus => ({
  accountId,
  secretHash: Buffer.alloc(32),
  previousHash: null,
  scopes: [],
});

/** A statement that runs, until it is answered. */
interface Running {
  readonly ids: readonly string[];
  readonly account: string;
  readonly answer: (found: ReadonlyMap<string, ClientStatus>) => void;
  readonly fail: (error: Error) => void;
}

let statements: Running[];
let lookups: SharedLookups<ClientStatus>;

beforeEach(() => {
  statements = [];
  lookups = new SharedLookups(
    (ids, account) => new Promise((answer, fail) => statements.push({ ids, account, answer, fail })),
  );
});

const settled = (): Promise<void> => new Promise(setImmediate);

describe('lookups that are shared', () => {
  it('take one statement for all that arrive together, and one for all that arrive meanwhile', async () => {
    const first = [lookups.find('a'), lookups.find('b'), lookups.find('a')];
    await settled();
    const next = [lookups.find('a'), lookups.find('c')];
    await settled();
    expect(statements.map(({ ids }) => ids)).toEqual([['a', 'b']]);
    statements[0]?.answer(new Map([['a', known('one')]]));
    expect(await Promise.all(first)).toEqual([known('one'), undefined, known('one')]);
    await settled();
    expect(statements.map(({ ids }) => ids)).toEqual([
      ['a', 'b'],
      ['a', 'c'],
    ]);
    // What was asked later is answered by what was read later: the secret may have changed.
    statements[1]?.answer(new Map([['a', known('two')]]));
    expect(await Promise.all(next)).toEqual([known('two'), undefined]);
  });

  it('of several accounts take one statement for each, one at a time, and fail for themselves', async () => {
    const found = [lookups.find('a', 'x'), lookups.find('b', 'y'), lookups.find('c', 'x')];
    await settled();
    expect(statements.map(({ ids, account }) => [account, ids])).toEqual([['x', ['a', 'c']]]);
    statements[0]?.fail(new Error('lost'));
    await expect(Promise.all([found[0], found[2]])).rejects.toThrow('lost');
    await settled();
    expect(statements.slice(1).map(({ ids, account }) => [account, ids])).toEqual([['y', ['b']]]);
    statements[1]?.answer(new Map([['b', known('y')]]));
    expect(await found[1]).toEqual(known('y'));
  });

  it('are bounded in one statement', async () => {
    const all = Array.from({ length: 1_001 }, (_, index) => lookups.find(`c${index}`));
    await settled();
    expect(statements[0]?.ids).toHaveLength(1_000);
    statements[0]?.answer(new Map());
    await settled();
    expect(statements[1]?.ids).toEqual(['c1000']);
    statements[1]?.answer(new Map());
    expect(await Promise.all(all)).toHaveLength(1_001);
  });

  it('fail together, and go on afterwards', async () => {
    const failed = [lookups.find('a'), lookups.find('b')].map((each) => expect(each).rejects.toThrow('lost'));
    await settled();
    statements[0]?.fail(new Error('lost'));
    await Promise.all(failed);
    const next = lookups.find('a');
    await settled();
    statements[1]?.answer(new Map());
    expect(await next).toBeUndefined();
  });
});
