import { FailedAttempts } from './failed-attempts.js';

let now: number;
let attempts: FailedAttempts;

beforeEach(() => {
  now = 1_000;
  attempts = new FailedAttempts(2, { now: () => now });
});

describe('failed attempts', () => {
  it('are limited for each address, and tell the seconds until more are answered [contract 6]', () => {
    expect([attempts.add('a'), attempts.isSpent('a')]).toEqual([undefined, false]);
    now += 10_000;
    expect([attempts.add('a'), attempts.isSpent('a')]).toEqual([undefined, true]);
    now += 7_500;
    expect(attempts.add('a')).toBe(43);
    expect([attempts.isSpent('b'), attempts.add('b')]).toEqual([false, undefined]);
  });

  it('are forgotten a minute after the first one [contract 6]', () => {
    attempts.add('a');
    now += 59_000;
    attempts.add('a');
    expect(attempts.add('a')).toBe(1);
    now += 1_001;
    expect([attempts.isSpent('a'), attempts.add('a')]).toEqual([false, undefined]);
  });

  it('are not made longer by those that are refused [contract 6]', () => {
    for (let second = 0; second < 59; second++) {
      attempts.add('a');
      now += 1_000;
    }
    expect(attempts.add('a')).toBe(1);
  });

  it('are not limited where the limit is 0 [contract 6]', () => {
    attempts = new FailedAttempts(0, { now: () => now });
    expect([attempts.add('a'), attempts.add('a'), attempts.isSpent('a')]).toEqual([
      undefined,
      undefined,
      false,
    ]);
  });

  it('are kept for ten thousand addresses, of which the oldest is forgotten', () => {
    for (let address = 0; address <= 10_000; address++) for (const _ of [1, 2]) attempts.add(`a${address}`);
    expect([0, 1, 10_000].map((address) => attempts.isSpent(`a${address}`))).toEqual([false, true, true]);
  });
});
