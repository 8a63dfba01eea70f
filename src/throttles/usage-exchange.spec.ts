import { UsageExchange } from './usage-exchange.js';
import { UsageWindow, WINDOW, type SharedUsage, type UsageReport } from './usage-window.js';

/** Milliseconds after which an urgent exchange may follow another one. */
const REST = 20;

/** What all processes have counted: as the table does, but for one database statement at a time. */
class SharedCounts {
  readonly known = new Map<string, { requests: number; endsAt: number }>();
  statements: number[] = [];
  failure: Error | undefined;

  add(reports: readonly UsageReport[], now: number): Promise<SharedUsage[]> {
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
let errors: string[];

beforeEach(() => {
  now = 1_000;
  counts = new SharedCounts();
  errors = [];
});

/** A process of the service: its exchange, and its window of one client. */
class Process {
  readonly exchange = new UsageExchange({
    add: (reports) => counts.add(reports, now),
    now: () => now,
    isOutage: (error) => (error as Error).message === 'outage',
    logger: { error: (line: string) => void errors.push(line) },
  });
  readonly window: UsageWindow;

  constructor(
    readonly limit: number,
    subjectId = 'client',
  ) {
    this.window = new UsageWindow({ accountId: 'account', subjectId }, limit, now);
  }

  /** Takes requests as long as there are some left. @returns how many it took */
  take(requests: number): number {
    let taken = 0;
    for (; taken < requests && this.window.remaining > 0; taken++) {
      this.window.take();
      this.exchange.note(this.window);
    }
    return taken;
  }
}

const settled = (): Promise<void> => new Promise(setImmediate);

describe('two processes', () => {
  it('know the requests of each other after an exchange of each [contract 6]', async () => {
    const [one, two] = [new Process(1_000), new Process(1_000)];
    one.take(30);
    two.take(40);
    for (const { exchange } of [one, two, one]) await exchange.run();
    two.take(10);
    one.take(10);
    for (const { exchange } of [one, two, one]) await exchange.run();
    expect([one.window.remaining, two.window.remaining]).toEqual([920, 910]);
  });

  it('admit a fiftieth of the limit too much for each beyond the first, of requests that come one by one [contract 6]', async () => {
    const processes = [new Process(1_000), new Process(1_000), new Process(1_000)];
    let taken = 0;
    for (let turn = 0; turn < 1_500; turn++) {
      for (const process of processes) taken += process.take(1);
      await settled();
      now += REST;
    }
    expect(taken).toBeGreaterThanOrEqual(1_000);
    expect(taken).toBeLessThanOrEqual(1_000 + 2 * 20);
  });

  it('never admit more than each would alone [contract 6]', async () => {
    const processes = [new Process(50), new Process(50)];
    const taken = processes.map((process) => process.take(1_000));
    await settled();
    expect(taken).toEqual([50, 50]);
    expect(processes.map((process) => process.take(1))).toEqual([0, 0]);
  });

  it('end their window together, when that of the first one ends [contract 6]', async () => {
    const one = new Process(100);
    one.take(1);
    await one.exchange.run();
    now += 20_000;
    const two = new Process(100);
    two.take(1);
    await two.exchange.run();
    expect(two.window.secondsLeft(now)).toBe(40);
    expect(two.window.remaining).toBe(98);
    now += 40_000;
    expect([one, two].map(({ window }) => window.hasEnded(now))).toEqual([true, true]);
  });
});

describe('an exchange', () => {
  it('leaves out what is less than a hundredth of a limit [contract 6]', async () => {
    const process = new Process(1_000);
    process.take(9);
    await process.exchange.run();
    expect(counts.statements).toEqual([]);
    process.take(1);
    await process.exchange.run();
    expect(counts.statements).toEqual([1]);
  });

  it('takes place fifty times in a minute at most for one client, however many are refused [contract 6]', async () => {
    const process = new Process(1_000);
    for (let turn = 0; turn < 2_500; turn++) {
      process.take(1);
      await settled();
      now += REST;
    }
    expect(counts.statements).toHaveLength(50);
  });

  it('rests a moment before an urgent one, however many requests come [contract 6]', async () => {
    const process = new Process(1_000);
    for (let turn = 0; turn < 500; turn++) {
      process.take(1);
      await settled();
    }
    expect(counts.statements).toHaveLength(1);
    now += REST;
    process.take(1);
    await settled();
    expect(counts.known.get('client')?.requests).toBe(501);
  });

  it('keeps what is counted while it is under way', async () => {
    const process = new Process(1_000);
    process.take(15);
    const running = process.exchange.run();
    process.take(12);
    await running;
    expect(process.window).toMatchObject({ remaining: 973, unreported: 12 });
    await process.exchange.run();
    expect(counts.known.get('client')?.requests).toBe(27);
  });

  it('takes one statement for many windows, of bounded size', async () => {
    const process = new Process(10);
    for (let index = 0; index < 700; index++) {
      const window = new UsageWindow({ accountId: 'a', subjectId: `c${index}` }, 100, now);
      window.take();
      process.exchange.note(window);
    }
    await process.exchange.run();
    expect(counts.statements).toEqual([500, 200]);
  });

  it('does not tell of a window that has ended', async () => {
    const process = new Process(100);
    process.take(1);
    now += WINDOW;
    await process.exchange.run();
    expect(counts.statements).toEqual([]);
  });
});

describe('an exchange that fails', () => {
  it('leaves each process to count alone, and is made up for by the next one [contract 6]', async () => {
    const process = new Process(100);
    counts.failure = new Error('outage');
    process.take(20);
    await process.exchange.run();
    expect(process.window.remaining).toBe(80);
    expect(process.take(1_000)).toBe(80);
    counts.failure = undefined;
    await process.exchange.run();
    expect(counts.known.get('client')?.requests).toBe(100);
    expect(process.window.remaining).toBe(0);
  });

  it('is not tried again by each request, but by the next run [contract 6]', async () => {
    const process = new Process(100);
    counts.failure = new Error('outage');
    for (let turn = 0; turn < 50; turn++) {
      process.take(1);
      await settled();
    }
    expect(counts.statements).toHaveLength(1);
    await process.exchange.run();
    expect(counts.statements).toHaveLength(2);
  });

  it('is told in the log, but where it is that of an outage', async () => {
    const process = new Process(100);
    process.take(5);
    counts.failure = new Error('outage');
    await process.exchange.run();
    expect(errors).toEqual([]);
    counts.failure = new Error('no table');
    await process.exchange.run();
    expect(errors).toEqual(['Requests are counted by this process alone: Error: no table']);
  });
});
