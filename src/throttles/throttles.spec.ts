import { Logger } from '@nestjs/common';
import { Background } from '../database/index.js';
import type { RequestCountsRepository, SharedUsage, UsageReport } from './request-counts.repository.js';
import { Throttles, type ThrottledClient } from './throttles.js';

const ACME = 'acme';
const ADA: ThrottledClient = { accountId: ACME, clientId: 'ada' };
const BOB: ThrottledClient = { accountId: ACME, clientId: 'bob' };
const EVE: ThrottledClient = { accountId: 'other', clientId: 'eve' };

/** What all processes have counted: as the table does, but for one statement at a time. */
class SharedCounts {
  readonly known = new Map<string, { requests: number; endsAt: number }>();
  /** The numbers of reports in each statement. */
  readonly statements: number[] = [];
  failure: Error | undefined;

  /** Nothing is old. */
  readonly prune = (): Promise<number> => Promise.resolve(0);

  add(reports: readonly UsageReport[]): Promise<SharedUsage[]> {
    this.statements.push(reports.length);
    if (this.failure !== undefined) return Promise.reject(this.failure);
    return Promise.resolve(
      reports.map(({ subjectId, requests, left }) => {
        const before = this.known.get(subjectId);
        const present =
          before !== undefined && before.endsAt > now ? before : { requests: 0, endsAt: now + left };
        const sum = { requests: present.requests + requests, endsAt: present.endsAt };
        this.known.set(subjectId, sum);
        return { subjectId, requests: sum.requests, left: sum.endsAt - now };
      }),
    );
  }
}

let now: number;
let counts: SharedCounts;
let background: Background;

beforeEach(() => {
  now = 5_000;
  counts = new SharedCounts();
  background = new Background();
  jest.spyOn(performance, 'now').mockImplementation(() => now);
});
afterEach(() => jest.restoreAllMocks());

const limited = (perClient: number, perAccount: number): Throttles =>
  new Throttles(
    counts as unknown as RequestCountsRepository,
    { RATE_LIMIT_PER_CLIENT: perClient, RATE_LIMIT_PER_ACCOUNT: perAccount },
    background,
  );

/** The headers of an answer: limit, remaining, reset. */
type Headers = readonly unknown[];

function headersOf(act: (answer: { setHeader: (name: string, value: unknown) => any }) => void): Headers {
  const headers = new Map<string, unknown>();
  act({ setHeader: (name, value) => headers.set(name, value) });
  return ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'].map((name) => headers.get(name));
}

const admit = (throttles: Throttles, client: ThrottledClient): Headers =>
  headersOf((answer) => throttles.admit(client, answer));

/** The error of a request that is refused, and its headers. */
function refusal(throttles: Throttles, client: ThrottledClient): { error: any; headers: Headers } {
  let error: unknown;
  const headers = headersOf((answer) => {
    try {
      throttles.admit(client, answer);
    } catch (caught) {
      error = caught;
    }
  });
  if (error === undefined) throw new Error('It was admitted');
  return { error, headers };
}

describe('the limit of a client', () => {
  it('admits as many requests a minute, and not one more [contract 1, contract 6]', () => {
    const throttles = limited(3, 0);
    expect([1, 2, 3].map(() => admit(throttles, ADA))).toEqual([
      [3, 2, 60],
      [3, 1, 60],
      [3, 0, 60],
    ]);
    now += 18_500;
    expect(refusal(throttles, ADA)).toMatchObject({
      error: {
        status: 429,
        code: 'rate_limited',
        message: 'Too many requests: the client may send 3 requests a minute',
        details: { headers: { 'Retry-After': '42' } },
      },
      headers: [3, 0, 42],
    });
  });

  it('begins again a minute after the first request [contract 6]', () => {
    const throttles = limited(1, 0);
    admit(throttles, ADA);
    now += 59_999;
    expect(refusal(throttles, ADA).headers).toEqual([1, 0, 1]);
    now += 1;
    expect(admit(throttles, ADA)).toEqual([1, 0, 60]);
  });

  it('is its own [contract 6]', () => {
    const throttles = limited(1, 0);
    admit(throttles, ADA);
    refusal(throttles, ADA);
    expect(admit(throttles, BOB)).toEqual([1, 0, 60]);
  });

  it('is told before its status is asked, without counting [contract 1]', () => {
    const throttles = limited(2, 0);
    const look = (): Headers => headersOf((answer) => throttles.refuseExhausted(ADA, answer));
    expect(look()).toEqual([undefined, undefined, undefined]);
    expect(admit(throttles, ADA)).toEqual([2, 1, 60]);
    expect(look()).toEqual([undefined, undefined, undefined]);
    expect(admit(throttles, ADA)).toEqual([2, 0, 60]);
    expect(look).toThrow('Too many requests');
  });
});

describe('the limit of an account', () => {
  it('is that of all its clients together, and of no other account [contract 6]', () => {
    const throttles = limited(0, 3);
    expect([ADA, BOB, ADA].map((client) => admit(throttles, client)[1])).toEqual([2, 1, 0]);
    expect(refusal(throttles, BOB).error).toMatchObject({
      message: 'Too many requests: the account may send 3 requests a minute',
    });
    expect(admit(throttles, EVE)).toEqual([3, 2, 60]);
  });

  it('loses nothing to what a client sends beyond its own limit [contract 6]', () => {
    const throttles = limited(2, 3);
    admit(throttles, ADA);
    admit(throttles, ADA);
    for (let times = 0; times < 10; times++) refusal(throttles, ADA);
    expect(admit(throttles, BOB)).toEqual([3, 0, 60]);
  });

  it('takes nothing from a client that it refuses [contract 6]', () => {
    const throttles = limited(2, 2);
    admit(throttles, ADA);
    admit(throttles, ADA);
    refusal(throttles, BOB);
    now += 60_000;
    expect(admit(throttles, BOB)).toEqual([2, 1, 60]);
  });
});

describe('the headers', () => {
  it('tell the limit of which less is left [contract 1]', () => {
    const throttles = limited(3, 4);
    expect(admit(throttles, ADA)).toEqual([3, 2, 60]);
    expect(admit(throttles, ADA)).toEqual([3, 1, 60]);
    expect(admit(throttles, BOB)).toEqual([4, 1, 60]);
  });

  it('tell the limit that ends later where nothing is left of both [contract 1]', () => {
    const throttles = limited(1, 2);
    admit(throttles, BOB);
    now += 10_000;
    admit(throttles, ADA);
    expect(refusal(throttles, ADA).headers).toEqual([1, 0, 60]);
    expect(refusal(throttles, { accountId: ACME, clientId: 'new' }).headers).toEqual([2, 0, 50]);
  });

  it('tell 60 seconds at most, whatever fraction of a millisecond the clock shows [contract 1]', () => {
    now = 96_617.068_666_562_07;
    expect(now + 60_000 - now).toBeGreaterThan(60_000);
    expect(admit(limited(3, 4), ADA)).toEqual([3, 2, 60]);
  });

  it('are not there without a limit [contract 6]', () => {
    const throttles = limited(0, 0);
    expect(admit(throttles, ADA)).toEqual([undefined, undefined, undefined]);
    expect(throttles['windows'].size).toBe(0);
  });
});

/** Sends requests as long as there are some left. @returns how many were admitted */
function take(throttles: Throttles, requests: number, client = ADA): number {
  for (let taken = 0; taken < requests; taken++) {
    try {
      admit(throttles, client);
    } catch {
      return taken;
    }
  }
  return requests;
}

describe('two processes', () => {
  it('know the requests of each other after an exchange of each [contract 6]', async () => {
    const [one, two] = [limited(1_000, 0), limited(1_000, 0)];
    take(one, 30);
    take(two, 40);
    for (const each of [one, two]) await each.exchange();
    expect(admit(two, ADA)).toEqual([1_000, 929, 60]);
    await two.exchange();
    take(one, 9);
    await one.exchange();
    expect([admit(one, ADA)[1], admit(two, ADA)[1]]).toEqual([919, 928]);
  });

  it('never admit more than each would alone [contract 6]', async () => {
    const processes = [limited(50, 0), limited(50, 0)];
    expect(processes.map((each) => take(each, 1_000))).toEqual([50, 50]);
    for (const each of processes) await each.exchange();
    expect(processes.map((each) => take(each, 1))).toEqual([0, 0]);
  });

  it('end their window together, when that of the first one ends [contract 6]', async () => {
    const [one, two] = [limited(100, 0), limited(100, 0)];
    admit(one, ADA);
    await one.exchange();
    now += 20_000;
    admit(two, ADA);
    await two.exchange();
    expect(admit(two, ADA)).toEqual([100, 97, 40]);
    now += 40_000;
    expect([one, two].map((each) => admit(each, ADA))).toEqual([
      [100, 99, 60],
      [100, 99, 60],
    ]);
  });
});

describe('an exchange', () => {
  it('tells what has counted since the last one, and nothing that was refused [contract 6]', async () => {
    const throttles = limited(1, 5);
    admit(throttles, ADA);
    refusal(throttles, ADA);
    await throttles.exchange();
    await throttles.exchange();
    expect(counts.statements).toEqual([2]);
    expect(counts.known).toEqual(
      new Map([
        ['ada', { requests: 1, endsAt: 65_000 }],
        [ACME, { requests: 1, endsAt: 65_000 }],
      ]),
    );
  });

  it('keeps what is counted while it is under way', async () => {
    const throttles = limited(1_000, 0);
    take(throttles, 15);
    const running = throttles.exchange();
    take(throttles, 12);
    await running;
    expect(admit(throttles, ADA)[1]).toBe(972);
    await throttles.exchange();
    expect(counts.known.get('ada')?.requests).toBe(28);
  });

  it('takes one statement for many windows, of bounded size', async () => {
    const throttles = limited(100, 0);
    for (let index = 0; index < 700; index++) admit(throttles, { ...ADA, clientId: `c${index}` });
    await throttles.exchange();
    expect(counts.statements).toEqual([500, 200]);
  });

  it('drops the windows that have ended, and tells nothing of them', async () => {
    const throttles = limited(1, 1);
    admit(throttles, ADA);
    now += 1_000;
    admit(throttles, EVE);
    now += 59_000;
    await throttles.exchange();
    expect([throttles['windows'].size, [...counts.known.keys()]]).toEqual([2, ['eve', 'other']]);
    now += 1_000;
    await throttles.exchange();
    expect([throttles['windows'].size, counts.statements]).toEqual([0, [2]]);
  });

  it('that fails leaves each process to count alone, and is made up for by the next one [contract 6]', async () => {
    const throttles = limited(100, 0);
    counts.failure = Object.assign(new Error('no connection'), { code: 'ECONNREFUSED' });
    take(throttles, 20);
    await expect(throttles.exchange()).rejects.toThrow('no connection');
    expect(admit(throttles, ADA)[1]).toBe(79);
    expect(take(throttles, 1_000)).toBe(79);
    counts.failure = undefined;
    await throttles.exchange();
    expect(counts.known.get('ada')?.requests).toBe(100);
    expect(take(throttles, 1)).toBe(0);
  });

  it('that fails for another cause than an outage says so', async () => {
    const throttles = limited(100, 0);
    admit(throttles, ADA);
    counts.failure = new Error('no table');
    await expect(throttles.exchange()).rejects.toThrow('no table');
  });
});

describe('a process that starts', () => {
  let lines: string[];

  beforeEach(() => {
    lines = [];
    jest.spyOn(Logger.prototype, 'error').mockImplementation((line: string) => void lines.push(line));
  });

  it.each([
    ['of an outage', Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }), []],
    ['of anything else', new Error('no table'), ['Requests are counted by this process alone: no table']],
  ])('says that it counts alone, but not because %s', async (_, failure, expected) => {
    counts.failure = failure;
    admit(limited(5, 0), ADA);
    background.onApplicationBootstrap();
    await background.onModuleDestroy();
    expect(counts.statements).toEqual([1]);
    expect(lines).toEqual(expected);
  });

  it('asks nothing of the database where nothing is limited', async () => {
    limited(0, 0);
    background.onApplicationBootstrap();
    await background.onModuleDestroy();
    expect(counts.statements).toEqual([]);
  });
});
