import { LogGrowth } from './log-growth.js';

let growth: LogGrowth;
beforeEach(() => (growth = new LogGrowth()));

const note = (accountId: string, times: number, entries = 1): void => {
  for (let n = 0; n < times; n++) growth.note(accountId, entries);
};

describe('a log that has grown', () => {
  it('is one with 500 new entries, however many came together', () => {
    note('acme', 1, 499);
    note('other', 250, 2);
    expect(growth.grown(0)).toEqual(['other']);
    note('acme', 1);
    expect(growth.grown(0)).toEqual(['acme', 'other']);
  });

  it('is looked at once more 20 seconds later, when its last entries can be folded', () => {
    note('acme', 500);
    growth.looked('acme', 1_000);
    expect(growth.grown(20_999)).toEqual([]);
    expect(growth.grown(21_000)).toEqual(['acme']);
    growth.looked('acme', 21_000);
    expect(growth.grown(Infinity)).toEqual([]);
  });

  it('is counted anew after each look', () => {
    note('acme', 700);
    growth.looked('acme', 0);
    note('acme', 499);
    expect(growth.grown(1)).toEqual([]);
    note('acme', 1);
    expect(growth.grown(1)).toEqual(['acme']);
  });

  it('is not remembered where it was looked at for another reason', () => {
    growth.looked('acme', 0);
    expect(growth.grown(Infinity)).toEqual([]);
  });
});
