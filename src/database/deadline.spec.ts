import { DatabaseUnavailableError } from './database-unavailable.error.js';
import { Deadline } from './deadline.js';
import { OutOfTimeError } from './out-of-time.error.js';

/** Milliseconds that are kept to find out what became of a lost write. */
const KEPT = 1_500;

let now: number;
beforeEach(() => {
  jest.useFakeTimers();
  now = performance.now();
});
afterEach(() => jest.useRealTimers());

const pass = (milliseconds: number): void => jest.advanceTimersByTime(milliseconds);
const never = new Promise<string>(() => undefined);

describe('a deadline', () => {
  it('ends with the request at the latest', () => {
    const request = new Deadline(5_000);
    pass(2_000);
    expect(new Deadline(9_000, request).left).toBe(3_000);
    expect(new Deadline(1_000, request).left).toBe(1_000);
    expect(new Deadline(9_000).left).toBe(9_000);
    expect(performance.now() - now).toBe(2_000);
  });

  it('is put off by the time in which a body is received', () => {
    const request = new Deadline(5_000);
    pass(4_000);
    request.extend(4_000);
    expect(request.left).toBe(5_000);
  });

  it('is the first of several, where there is one', () => {
    const [early, late] = [new Deadline(1_000), new Deadline(2_000)];
    expect(Deadline.first([late, undefined, early])).toBe(early);
    expect(Deadline.first([undefined])).toBeUndefined();
  });

  it('lets no statement begin when only the time for questions is left', () => {
    const deadline = new Deadline(KEPT + 1_000);
    expect(() => deadline.requireTime()).not.toThrow();
    pass(1_000);
    expect(deadline.left).toBe(KEPT);
    expect(() => deadline.requireTime()).toThrow(DatabaseUnavailableError);
  });

  it('tells the end of a request from that of work that takes too long', async () => {
    const of = (limit: number, request: number): Deadline => new Deadline(limit, new Deadline(request));
    expect(() => of(9_000, KEPT).requireTime()).toThrow(OutOfTimeError);
    const waited = expect(of(9_000, KEPT).wait(never)).rejects.toBeInstanceOf(OutOfTimeError);
    pass(0);
    await waited;
    for (const slow of [of(KEPT, 9_000), new Deadline(KEPT)]) {
      expect(() => slow.requireTime()).toThrow('The database does not answer in time');
    }
  });

  it('shortens the time for an answer to what is left, in steps', () => {
    const deadline = new Deadline(KEPT + 3_200);
    expect(deadline.answerWithin(3_000)).toBe(3_000);
    expect(deadline.answerWithin(Infinity)).toBe(3_000);
    pass(2_000);
    expect(deadline.answerWithin(3_000)).toBe(1_000);
    pass(10_000);
    expect(deadline.answerWithin(3_000)).toBe(500);
  });

  it('waits for what is in time, and passes on how it ends', async () => {
    const deadline = new Deadline(5_000);
    expect(await deadline.wait(Promise.resolve('done'))).toBe('done');
    await expect(deadline.wait(Promise.reject(new Error('a mistake')))).rejects.toThrow('a mistake');
    expect(jest.getTimerCount()).toBe(0);
  });

  it('waits no longer than statements may begin, or than it is told', async () => {
    const deadline = new Deadline(KEPT + 1_000);
    const ends = { short: deadline.wait(never), long: deadline.wait(never, deadline.left) };
    const short = expect(ends.short).rejects.toBeInstanceOf(DatabaseUnavailableError);
    pass(1_000);
    await short;
    const long = expect(ends.long).rejects.toBeInstanceOf(DatabaseUnavailableError);
    pass(KEPT - 1);
    expect(jest.getTimerCount()).toBe(1);
    pass(1);
    await long;
    expect(jest.getTimerCount()).toBe(0);
  });
});
