import { OutageLog } from './outage-log.js';

let now: number;
let lines: string[];
let outages: OutageLog;

beforeEach(() => {
  now = 0;
  lines = [];
  const logger = {
    error: (line: string) => lines.push(`error: ${line}`),
    warn: (line: string) => lines.push(`warn: ${line}`),
  };
  outages = new OutageLog(logger, () => now);
});

const BEGINS = 'error: The database cannot serve: refused';

it('says nothing while all works', () => {
  outages.succeeded();
  expect(lines).toEqual([]);
});

it('says once that an outage has begun, and once that it is over', () => {
  for (; now < 12_000; now += 100) outages.failed(new Error('refused'));
  expect(lines).toEqual([BEGINS]);
  now = 20_000;
  outages.succeeded();
  outages.succeeded();
  expect(lines).toEqual([BEGINS, 'warn: The database serves again; 120 failures within 11.9 s']);
});

it('takes failures and successes by turns for one outage', () => {
  for (; now < 60_000; now += 1_000) {
    outages.failed(new Error('refused'));
    outages.succeeded();
  }
  expect(lines).toEqual([BEGINS]);
});

it('tells a second outage from the first', () => {
  outages.failed(new Error('refused'));
  now = 5_000;
  outages.succeeded();
  outages.failed('gone');
  expect(lines).toHaveLength(3);
  expect(lines[2]).toBe('error: The database cannot serve: gone');
});

describe('work that got no answer in time', () => {
  const LIMIT = 6_000;

  it('is an outage once nothing was answered for as long as an answer may take', () => {
    for (; now <= 30_000; now += 2_000) outages.unanswered(Math.max(0, now - 3_000), LIMIT);
    expect(lines).toEqual(['error: The database cannot serve: it has answered nothing for 6.0 s']);
    now = 40_000;
    outages.succeeded();
    expect(lines[1]).toBe('warn: The database serves again; 13 failures within 24.0 s');
  });

  it('is an outage at once where it has waited for that long itself', () => {
    now = 100_000;
    outages.unanswered(now - LIMIT, LIMIT);
    expect(lines).toHaveLength(1);
  });

  it('is none while others get answers, be they errors', () => {
    for (; now < 60_000; now += 1_000) {
      outages.unanswered(Math.max(0, now - 9_000), LIMIT);
      if (now % 4_000 === 0) outages.answered();
    }
    expect(lines).toEqual([]);
  });

  it('is none after a time in which nothing was asked', () => {
    outages.succeeded();
    now = 3_600_000;
    outages.unanswered(now - 1_000, LIMIT);
    expect(lines).toEqual([]);
  });

  it('is none after such a time that began with work that got no answer', () => {
    outages.succeeded();
    now = 10_000;
    outages.unanswered(now - 3_000, LIMIT);
    now = 3_600_000;
    outages.unanswered(now - 1_000, LIMIT);
    expect(lines).toEqual([]);
  });

  it('counts as a failure of an outage that has begun', () => {
    outages.failed(new Error('refused'));
    now = 3_000;
    outages.unanswered(now - 1_000, LIMIT);
    now = 7_000;
    outages.succeeded();
    expect(lines).toEqual([BEGINS]);
    now = 8_000;
    outages.succeeded();
    expect(lines[1]).toBe('warn: The database serves again; 2 failures within 3.0 s');
  });
});
