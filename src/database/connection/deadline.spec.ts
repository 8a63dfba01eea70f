import { Deadline } from './deadline.js';
import { NoAnswerError } from '../errors.js';

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

  it('lets no statement begin that has less than half a second', () => {
    const deadline = new Deadline(1_500);
    pass(1_000);
    expect(() => deadline.requireTime()).not.toThrow();
    pass(1);
    expect(() => deadline.requireTime()).toThrow(NoAnswerError);
  });

  it('shortens the time for an answer to what is left', () => {
    const deadline = new Deadline(3_200);
    expect(deadline.answerWithin(3_000)).toBe(3_000);
    expect(deadline.answerWithin(Infinity)).toBe(3_200);
    pass(2_000);
    expect(deadline.answerWithin(3_000)).toBe(1_200);
    pass(10_000);
    expect(deadline.answerWithin(3_000)).toBe(1);
  });

  it('waits for what is in time, and passes on how it ends', async () => {
    const deadline = new Deadline(5_000);
    expect(await deadline.wait(Promise.resolve('done'))).toBe('done');
    await expect(deadline.wait(Promise.reject(new Error('a mistake')))).rejects.toThrow('a mistake');
    expect(jest.getTimerCount()).toBe(0);
  });

  it('waits until it is over', async () => {
    const end = expect(new Deadline(1_000).wait(never)).rejects.toBeInstanceOf(NoAnswerError);
    pass(999);
    expect(jest.getTimerCount()).toBe(1);
    pass(1);
    await end;
    expect(jest.getTimerCount()).toBe(0);
  });
});
