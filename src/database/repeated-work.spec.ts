import { lagsOfWork, RepeatedWork } from './repeated-work.js';

const turn = (): Promise<void> => new Promise((done) => process.nextTick(() => setImmediate(done)));

describe('RepeatedWork', () => {
  beforeEach(() => jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate'] }));
  afterEach(() => jest.useRealTimers());

  it('begins at once and again at each interval, one run at a time', async () => {
    const running: (() => void)[] = [];
    let runs = 0;
    const work = new RepeatedWork(
      1_000,
      () => new Promise<void>((done) => running.push(done) && runs++),
      () => undefined,
    );
    work.start('work');
    jest.advanceTimersByTime(3_000);
    expect(runs).toBe(1);
    running.shift()?.();
    await turn();
    jest.advanceTimersByTime(1_000);
    expect(runs).toBe(2);
    running.shift()?.();
    await work.stop();
    jest.advanceTimersByTime(5_000);
    expect(runs).toBe(2);
  });

  it('reports what fails, and goes on', async () => {
    const reasons: string[] = [];
    const work = new RepeatedWork(
      1_000,
      () => Promise.reject(new Error(`mistake ${reasons.length}`)),
      (reason) => reasons.push(reason),
    );
    work.start('work');
    await turn();
    jest.advanceTimersByTime(1_000);
    await turn();
    expect(reasons).toEqual(['mistake 0', 'mistake 1']);
    await work.stop();
  });

  it('is late by what has passed since it was done, beyond its interval', async () => {
    const seconds = (): unknown => lagsOfWork().find(({ name }) => name === 'late')?.seconds;
    let works = true;
    const work = new RepeatedWork(
      1_000,
      () => (works ? Promise.resolve() : Promise.reject(new Error('mistake'))),
      () => undefined,
    );
    expect(seconds()).toBeUndefined();
    work.start('late');
    expect(seconds()).toBeNull();
    await turn();
    jest.advanceTimersByTime(1_000);
    expect(seconds()).toBe(0);
    works = false;
    await turn();
    jest.advanceTimersByTime(60_000);
    await turn();
    expect(seconds()).toBe(59);
    await work.stop();
    expect(seconds()).toBeUndefined();
  });

  it('waits for the run that is under way when it is stopped, which can see that', async () => {
    let end: () => void = () => undefined;
    const work = new RepeatedWork(
      1_000,
      () => new Promise<void>((done) => (end = done)),
      () => undefined,
    );
    work.start('work');
    expect(work.isStopped()).toBe(false);
    let isStopped = false;
    const stopped = work.stop().then(() => (isStopped = true));
    expect(work.isStopped()).toBe(true);
    await turn();
    expect(isStopped).toBe(false);
    end();
    await stopped;
  });
});
