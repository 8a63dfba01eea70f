import { AccountShares, type Leave } from './account-shares.js';

const A = { accountId: 'a' };
const B = { accountId: 'b' };
const C = { accountId: 'c' };

let shares: AccountShares;
/** What has started, in order. */
let started: string[];

beforeEach(() => {
  jest.useFakeTimers();
  shares = new AccountShares({ total: 4, perAccount: 3, waiting: 2, patience: 1_000 });
  started = [];
});
afterEach(() => jest.useRealTimers());

/** Enters and notes when the work starts. */
async function enter(account: { accountId: string }, name: string, signal?: AbortSignal): Promise<Leave> {
  const leave = await shares.enter(account, signal);
  started.push(name);
  return leave;
}

const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 5; turn++) await Promise.resolve();
};

describe('the shares of accounts', () => {
  it('let an account have its part, and leave the rest to others', async () => {
    const leaves = ['a1', 'a2', 'a3'].map((name) => enter(A, name));
    const waiting = enter(A, 'a4');
    void enter(B, 'b1');
    await settle();
    expect(started).toEqual(['a1', 'a2', 'a3', 'b1']);
    (await leaves[1]!)();
    await waiting;
    expect(started.at(-1)).toBe('a4');
  });

  it('start the work of an account in the order in which it came', async () => {
    const first = [enter(A, 'a1'), enter(A, 'a2'), enter(A, 'a3')];
    void enter(A, 'a4');
    void enter(A, 'a5');
    for (const leave of first) (await leave)();
    await settle();
    expect(started).toEqual(['a1', 'a2', 'a3', 'a4', 'a5']);
  });

  it('do not let work that has just come pass work that waits', async () => {
    const [leave] = await Promise.all([enter(A, 'a1'), enter(A, 'a2'), enter(A, 'a3')]);
    void enter(A, 'a4');
    leave();
    expect(shares.enterNow(A)).toBeUndefined();
  });

  it('give a free place to whoever has the least when all are taken', async () => {
    const [leave] = await Promise.all([enter(A, 'a1'), enter(A, 'a2'), enter(A, 'a3'), enter(B, 'b1')]);
    void enter(A, 'a4');
    void enter(B, 'b2');
    void enter(C, 'c1');
    leave();
    await settle();
    expect(started.slice(4)).toEqual(['c1']);
    expect(shares.enterNow({ accountId: 'd' })).toBeUndefined();
  });

  it('count work once, however often it ends', async () => {
    const [leave] = await Promise.all([enter(A, 'a1'), enter(A, 'a2'), enter(A, 'a3')]);
    leave();
    leave();
    expect(shares.enterNow(A)).toBeDefined();
    expect(shares.enterNow(A)).toBeUndefined();
  });

  it('refuse what would wait behind too much, or waits too long [contract 1]', async () => {
    await Promise.all([enter(A, 'a1'), enter(A, 'a2'), enter(A, 'a3')]);
    const patient = [enter(A, 'a4'), enter(A, 'a5')];
    const refused = { status: 503, details: { headers: { 'Retry-After': '1' } } };
    await expect(enter(A, 'a6')).rejects.toMatchObject(refused);
    const ended = Promise.allSettled(patient);
    jest.advanceTimersByTime(1_000);
    expect((await ended).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await expect(patient[0]).rejects.toMatchObject(refused);
  });

  it('forget work whose client is gone', async () => {
    const [leave] = await Promise.all([enter(A, 'a1'), enter(A, 'a2'), enter(A, 'a3')]);
    const gone = new AbortController();
    const given = enter(A, 'a4', gone.signal);
    const next = enter(A, 'a5');
    gone.abort();
    await expect(given).rejects.toThrow('The client is gone');
    leave();
    await next;
    expect(started.at(-1)).toBe('a5');
    expect(jest.getTimerCount()).toBe(0);
  });
});
