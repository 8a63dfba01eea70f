import { Throttles, type ThrottledClient } from './throttles.js';
import type { UsageWindow } from './usage-window.js';

const ACME = 'acme';
const ADA: ThrottledClient = { accountId: ACME, clientId: 'ada' };
const BOB: ThrottledClient = { accountId: ACME, clientId: 'bob' };
const EVE: ThrottledClient = { accountId: 'other', clientId: 'eve' };

let now: number;
let noted: UsageWindow[];

beforeEach(() => {
  now = 5_000;
  noted = [];
});

const limited = (perClient: number, perAccount: number): Throttles =>
  new Throttles({ perClient, perAccount }, { note: (window) => void noted.push(window) }, () => now);

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
    expect(noted).toEqual([]);
  });
});

it('every window that has counted is told to the exchange, and none that has refused [contract 6]', () => {
  const throttles = limited(1, 5);
  admit(throttles, ADA);
  refusal(throttles, ADA);
  expect(noted.map(({ key: { subjectId }, unreported }) => [subjectId, unreported])).toEqual([
    ['ada', 1],
    [ACME, 1],
  ]);
});

it('windows that have ended are dropped', () => {
  const throttles = limited(1, 1);
  admit(throttles, ADA);
  now += 1_000;
  admit(throttles, EVE);
  now += 59_000;
  throttles.sweep();
  expect(throttles.size).toBe(2);
  now += 1_000;
  throttles.sweep();
  expect(throttles.size).toBe(0);
});
