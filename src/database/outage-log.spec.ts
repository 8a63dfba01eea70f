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
