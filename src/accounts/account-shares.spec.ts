import { AccountShares, type Leave } from './account-shares.js';

const A = { accountId: 'a' };
const B = { accountId: 'b' };
const C = { accountId: 'c' };

let shares: AccountShares;
/** What has started, in order. */
let started: string[];

beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ['setImmediate'] });
  shares = new AccountShares({ total: 4, shared: 2, alone: 3, waiting: 2, patience: 5_000 });
  started = [];
});
afterEach(async () => {
  await settle();
  jest.useRealTimers();
});

/** Enters and notes when the work starts. */
async function enter(
  account: { accountId: string },
  name: string,
  onWait?: (end: () => void) => void,
): Promise<Leave> {
  const leave = await shares.enter(account, onWait);
  started.push(name);
  return leave;
}

/** Waits for a turn of the event loop. */
const turn = (): Promise<void> => new Promise(setImmediate);

async function settle(): Promise<void> {
  for (let count = 0; count < 5; count++) await turn();
}

describe('the shares of accounts', () => {
  it('let an account that is alone have nearly all', async () => {
    void Promise.all([enter(A, 'a1'), enter(A, 'a2'), enter(A, 'a3'), enter(A, 'a4')]);
    await settle();
    expect(started).toEqual(['a1', 'a2', 'a3']);
  });

  it('let others start at once, and let an account have less while they are there', async () => {
    const leaves = [enter(A, 'a1'), enter(A, 'a2'), enter(A, 'a3')];
    void enter(A, 'a4');
    void enter(B, 'b1');
    await settle();
    expect(started).toEqual(['a1', 'a2', 'a3', 'b1']);
    (await leaves[0]!)();
    await settle();
    expect(started).toHaveLength(4);
    (await leaves[1]!)();
    await settle();
    expect(started.at(-1)).toBe('a4');
  });

  it('let an account have nearly all again when the others have been gone for a while', async () => {
    const [leave] = await Promise.all([enter(A, 'a1'), enter(A, 'a2')]);
    (await enter(B, 'b1'))();
    jest.advanceTimersByTime(1_499);
    expect(shares.enterNow(A)).toBeUndefined();
    jest.advanceTimersByTime(2);
    expect(shares.enterNow(A)).toBeDefined();
    leave();
  });

  it('start the work of an account in the order in which it came', async () => {
    const first = [enter(A, 'a1'), enter(A, 'a2'), enter(A, 'a3')];
    void enter(A, 'a4');
    void enter(A, 'a5');
    for (const leave of first) (await leave)();
    await settle();
    expect(started).toEqual(['a1', 'a2', 'a3', 'a4', 'a5']);
  });

  it('start one unit of what waits in a turn while several accounts are active', async () => {
    const leaves = await Promise.all([enter(A, 'a1'), enter(A, 'a2'), enter(B, 'b1'), enter(B, 'b2')]);
    for (const name of ['a3', 'a4']) void enter(A, name);
    for (const name of ['b3', 'b4']) void enter(B, name);
    for (const leave of leaves) leave();
    for (let count = 5; count <= 8; count++) {
      await turn();
      await Promise.resolve();
      expect(started).toHaveLength(count);
    }
  });

  it('do not let work that has just come pass work that waits', async () => {
    const [leave] = await Promise.all([enter(A, 'a1'), enter(A, 'a2'), enter(A, 'a3')]);
    void enter(A, 'a4');
    leave();
    expect(shares.enterNow(A)).toBeUndefined();
  });

  it('give a free place to whoever has the least when all are taken', async () => {
    const [leave] = await Promise.all([enter(A, 'a1'), enter(A, 'a2'), enter(B, 'b1'), enter(C, 'c1')]);
    void enter(A, 'a3').catch(() => undefined);
    void enter(B, 'b2').catch(() => undefined);
    const last = enter({ accountId: 'd' }, 'd1');
    leave();
    await last;
    expect(started.slice(4)).toEqual(['d1']);
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
    jest.advanceTimersByTime(5_000);
    expect((await ended).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await expect(patient[0]).rejects.toMatchObject(refused);
  });

  it('forget work that nobody waits for any more', async () => {
    const [leave] = await Promise.all([enter(A, 'a1'), enter(A, 'a2'), enter(A, 'a3')]);
    let end = (): void => undefined;
    const given = enter(A, 'a4', (ends) => (end = ends));
    const next = enter(A, 'a5');
    end();
    await expect(given).rejects.toMatchObject({ status: 400 });
    leave();
    await next;
    end();
    expect(started.at(-1)).toBe('a5');
    expect(jest.getTimerCount()).toBe(0);
  });

  it('refuse only what has waited too long', async () => {
    await Promise.all([enter(A, 'a1'), enter(A, 'a2'), enter(A, 'a3')]);
    const early = enter(A, 'a4');
    const refused = expect(early).rejects.toMatchObject({ status: 503 });
    jest.advanceTimersByTime(3_000);
    const late = enter(A, 'a5').catch(() => 'refused');
    jest.advanceTimersByTime(2_000);
    await refused;
    expect(await Promise.race([late, turn().then(() => 'waits')])).toBe('waits');
    jest.advanceTimersByTime(3_000);
    expect(await late).toBe('refused');
    expect(jest.getTimerCount()).toBe(0);
  });
});
