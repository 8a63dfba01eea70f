import { Outage } from './outage.js';

describe('an outage', () => {
  let said: string[];
  let outage: Outage;
  beforeEach(() => {
    jest.useFakeTimers();
    said = [];
    outage = new Outage((message) => said.push(message));
  });
  afterEach(() => {
    outage.stop();
    jest.useRealTimers();
  });

  it('is told of when it begins, when the first attempt fails, and when it is over', () => {
    outage.begin();
    for (const reason of ['full', 'full', 'still full']) outage.failed(new Error(reason));
    jest.advanceTimersByTime(60_000);
    outage.answered();
    expect(said).toEqual([expect.stringContaining('was lost'), expect.stringMatching(/cannot.*\. full$/)]);
    jest.advanceTimersByTime(5_000);
    expect(said.slice(2)).toEqual([expect.stringMatching(/is back, 60\.0 s/)]);
  });

  it('is one outage when the server comes back for a moment only', () => {
    outage.begin();
    for (let loss = 0; loss < 10; loss += 1) {
      outage.answered();
      jest.advanceTimersByTime(4_000);
      outage.begin();
    }
    expect(said).toHaveLength(1);
    outage.answered();
    jest.advanceTimersByTime(5_000);
    expect(said).toHaveLength(2);
    outage.begin();
    expect(said).toHaveLength(3);
  });

  it('lets the first attempt be made at once, and the others ever later, up to two seconds', () => {
    const pauses = (): number[] => Array.from({ length: 8 }, () => outage.nextPause());
    const expected = [0, 100, 200, 400, 800, 1_600, 2_000, 2_000];
    outage.begin();
    expect(pauses()).toEqual(expected);
    outage.answered();
    jest.advanceTimersByTime(4_000);
    outage.begin();
    expect(outage.nextPause()).toBe(2_000);
    outage.answered();
    jest.advanceTimersByTime(5_000);
    expect(pauses()).toEqual(expected);
  });

  it('is not told of any more once it is nobody’s concern', () => {
    outage.begin();
    outage.answered();
    outage.stop();
    jest.advanceTimersByTime(60_000);
    expect(said).toHaveLength(1);
  });
});
