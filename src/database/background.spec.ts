import { Logger } from '@nestjs/common';
import { Background } from './background.js';

const turn = (): Promise<void> => new Promise((done) => process.nextTick(() => setImmediate(done)));

const WORK = { name: 'work', every: 1_000, failure: 'It could not be done' };

describe('work in the background', () => {
  let background: Background;
  let lines: string[];

  beforeEach(() => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate'] });
    lines = [];
    jest.spyOn(Logger.prototype, 'error').mockImplementation((line: string) => void lines.push(line));
    background = new Background();
  });
  afterEach(() => {
    jest.useRealTimers();
    jest.restoreAllMocks();
  });

  it('begins at once and again at each interval, one run at a time', async () => {
    const running: (() => void)[] = [];
    let runs = 0;
    background.repeat({
      ...WORK,
      run: () => new Promise<void>((done) => running.push(done) && runs++),
    });
    background.onApplicationBootstrap();
    jest.advanceTimersByTime(3_000);
    expect(runs).toBe(1);
    running.shift()?.();
    await turn();
    jest.advanceTimersByTime(1_000);
    expect(runs).toBe(2);
    running.shift()?.();
    await background.onModuleDestroy();
    jest.advanceTimersByTime(5_000);
    expect(runs).toBe(2);
  });

  it('may begin later', async () => {
    let runs = 0;
    background.repeat({ ...WORK, isLater: true, run: () => Promise.resolve(runs++) });
    background.onApplicationBootstrap();
    expect(runs).toBe(0);
    jest.advanceTimersByTime(1_000);
    expect(runs).toBe(1);
    await background.onModuleDestroy();
  });

  it('logs what fails but for outages, and goes on', async () => {
    const failures = [new Error('mistake'), Object.assign(new Error('away'), { code: 'ECONNREFUSED' })];
    background.repeat({ ...WORK, run: () => Promise.reject(failures.shift() ?? new Error('another')) });
    background.onApplicationBootstrap();
    for (let run = 0; run < 2; run++) {
      await turn();
      jest.advanceTimersByTime(1_000);
    }
    await turn();
    expect(lines).toEqual(['It could not be done: mistake', 'It could not be done: another']);
    await background.onModuleDestroy();
  });

  it('is late by what has passed since it was done, beyond its interval', async () => {
    const seconds = (): unknown => background.lags().find(({ name }) => name === 'late')?.seconds;
    let works = true;
    background.repeat({
      ...WORK,
      name: 'late',
      run: () => (works ? Promise.resolve() : Promise.reject(new Error('mistake'))),
    });
    background.onApplicationBootstrap();
    expect(seconds()).toBeNull();
    await turn();
    jest.advanceTimersByTime(1_000);
    expect(seconds()).toBe(0);
    works = false;
    await turn();
    jest.advanceTimersByTime(60_000);
    await turn();
    expect(seconds()).toBe(59);
    await background.onModuleDestroy();
  });

  it('waits for the run that is under way when it is stopped, which can see that', async () => {
    let end: () => void = () => undefined;
    background.repeat({ ...WORK, run: () => new Promise<void>((done) => (end = done)) });
    background.onApplicationBootstrap();
    expect(background.isStopped()).toBe(false);
    let isOver = false;
    const stopped = background.onModuleDestroy().then(() => (isOver = true));
    expect(background.isStopped()).toBe(true);
    await turn();
    expect(isOver).toBe(false);
    end();
    await stopped;
  });
});
