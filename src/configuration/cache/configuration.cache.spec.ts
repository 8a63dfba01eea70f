import type { Transaction } from '../../database/index.js';
import { invalidField, notFound, conflict } from '../../errors/errors.js';
import { configurationOf, routerOf } from '../../../test/units/configuration.js';
import type { AccountConfiguration, ConfigurationLoader } from './configuration.loader.js';
import { ConfigurationCache, OUTDATED } from './configuration.cache.js';

const ACME = { accountId: 'acme' };
const OTHER = { accountId: 'other' };
const TX = {} as Transaction;

/** Routers that take more memory than all configurations may. */
const HUGE = ['R', 'S'].map((id) =>
  routerOf(id, [], { settings: { rules: Array<object>(10_000).fill({}) } }),
);

/** The version in the database, and the number of queries of each kind. */
let version: number;
let loads: number;
let checks: number;
/** The versions that the loads were given, of which they read only what has changed since. */
let known: (string | undefined)[];
let now: number;
let cache: ConfigurationCache;

beforeEach(() => {
  [version, loads, checks, now] = [1, 0, 0, 0];
  known = [];
  jest.spyOn(performance, 'now').mockImplementation(() => now);
  const load = (
    { accountId }: typeof ACME,
    earlier: AccountConfiguration | undefined,
  ): Promise<AccountConfiguration | undefined> => {
    loads += 1;
    known.push(earlier?.version);
    const routers = accountId === 'large' ? HUGE : [];
    return Promise.resolve(
      accountId === 'nobody' ? undefined : configurationOf({ version: String(version), routers }),
    );
  };
  const loader = {
    load,
    read: (transaction: Transaction, ...asked: Parameters<typeof load>) => {
      expect(transaction).toBe(TX);
      return load(...asked);
    },
    currentVersion: () => {
      checks += 1;
      return Promise.resolve(String(version));
    },
  };
  cache = new ConfigurationCache(loader as unknown as ConfigurationLoader);
});
afterEach(() => jest.restoreAllMocks());

const versionSeen = (account = ACME): Promise<string> =>
  cache.use(account, (configuration) => Promise.resolve(configuration.version));

describe("an account's configuration", () => {
  it('is loaded once, whoever asks meanwhile, for each account', async () => {
    await Promise.all([versionSeen(), versionSeen(), versionSeen(OTHER)]);
    expect(await versionSeen()).toBe('1');
    expect({ loads, checks }).toEqual({ loads: 2, checks: 0 });
  });

  it('is checked again before it is five seconds old, and loaded only if it has changed [contract 5]', async () => {
    await versionSeen();
    now = 4_999;
    expect(await versionSeen()).toBe('1');
    expect({ loads, checks }).toEqual({ loads: 1, checks: 1 });
    version = 2;
    now = 9_998;
    expect(await versionSeen()).toBe('2');
    expect({ loads, checks }).toEqual({ loads: 2, checks: 2 });
  });

  it('is believed for two seconds after each check', async () => {
    now = 10_000;
    await versionSeen();
    for (const [at, expected] of [
      [11_999, 0],
      [12_000, 1],
      [13_999, 1],
      [14_000, 2],
    ] as const) {
      now = at;
      await versionSeen();
      expect({ at, checks }).toEqual({ at, checks: expected });
    }
    expect(loads).toBe(1);
  });

  it('is kept for 10,000 accounts, those used last', async () => {
    const account = (n: number): typeof ACME => ({ accountId: `account ${n}` });
    for (let n = 0; n < 10_000; n++) await versionSeen(account(n));
    await versionSeen(account(0));
    expect(loads).toBe(10_000);
    await versionSeen(account(10_000));
    await versionSeen(account(0));
    expect(loads).toBe(10_001);
    await versionSeen(account(1));
    expect(loads).toBe(10_002);
  });

  it('that is larger than all may be together is kept, and no other beside it', async () => {
    const large = { accountId: 'large' };
    await versionSeen();
    await versionSeen(large);
    await versionSeen(large);
    expect(loads).toBe(2);
    await versionSeen();
    await versionSeen(large);
    expect(loads).toBe(4);
  });

  it('is read anew with the version that is known, but not after a minute without use', async () => {
    await versionSeen();
    version = 2;
    now = 59_999;
    await versionSeen();
    version = 3;
    await cache.use(ACME, ({ version: seen }) => Promise.resolve(seen === '3' ? 'done' : OUTDATED));
    version = 4;
    await cache.reload(TX, ACME);
    version = 5;
    now = 119_999;
    await versionSeen();
    expect(known).toEqual([undefined, '1', '2', '3', undefined]);
  });

  it('that a transaction reads is what others are given from then on', async () => {
    await versionSeen();
    version = 2;
    now = 1_999;
    expect((await cache.reload(TX, ACME)).version).toBe('2');
    now = 3_998;
    expect(await versionSeen()).toBe('2');
    expect({ loads, checks }).toEqual({ loads: 2, checks: 0 });
  });

  it('that a transaction finds gone is a missing account context [5.3]', async () => {
    await expect(cache.reload(TX, { accountId: 'nobody' })).rejects.toMatchObject({
      status: 401,
      message: 'Unauthorized: missing account context',
    });
  });

  it('that work finds outdated is loaded anew, and the work done again', async () => {
    const seen: string[] = [];
    await versionSeen();
    version = 2;
    const result = await cache.use(ACME, (configuration) => {
      seen.push(configuration.version);
      return Promise.resolve(configuration.version === '2' ? 'done' : OUTDATED);
    });
    expect({ result, seen }).toEqual({ result: 'done', seen: ['1', '2'] });
  });

  it('that refuses a request is checked first, and the work done again if it has changed [contract 5]', async () => {
    for (const refusal of [invalidField('x', 'Unknown field: x'), notFound('Router not found')]) {
      await versionSeen();
      version += 1;
      const current = String(version);
      const result = await cache.use(ACME, (configuration) =>
        configuration.version === current ? Promise.resolve('accepted') : Promise.reject(refusal),
      );
      expect(result).toBe('accepted');
    }
  });

  it('that refuses a request and is current refuses it', async () => {
    const refusal = invalidField('x', 'Unknown field: x');
    let attempts = 0;
    const work = cache.use(ACME, () => {
      attempts += 1;
      return Promise.reject(refusal);
    });
    await expect(work).rejects.toBe(refusal);
    expect({ attempts, checks }).toEqual({ attempts: 1, checks: 1 });
  });

  it('is not asked about errors that it cannot have caused', async () => {
    const foreign = Object.assign(new Error('of a library'), { status: 400 });
    for (const error of [conflict('Duplicate', 'email'), new TypeError('a mistake'), foreign]) {
      await expect(cache.use(ACME, () => Promise.reject(error))).rejects.toBe(error);
    }
    expect(checks).toBe(0);
  });

  it('that never stands still ends in 503 [contract 1]', async () => {
    let attempts = 0;
    const work = cache.use(ACME, () => {
      attempts += 1;
      return Promise.resolve(OUTDATED);
    });
    await expect(work).rejects.toMatchObject({ status: 503, details: { headers: { 'Retry-After': '1' } } });
    expect(attempts).toBe(5);
  });

  it('of an account that is gone is a missing account context [5.3]', async () => {
    await expect(versionSeen({ accountId: 'nobody' })).rejects.toMatchObject({
      status: 401,
      message: 'Unauthorized: missing account context',
    });
  });
});
