import { CREDIT_UNIT } from './credit.js';
import { reconcileLedger } from './ledger.js';
import type { Ledger } from '../model/rotation.js';

const stored: Ledger = new Map([
  ['ada', { credit: CREDIT_UNIT / 2n, last: 3 }],
  ['bob', { credit: -CREDIT_UNIT / 4n, last: 4 }],
  ['eve', { credit: -CREDIT_UNIT / 4n, last: 2 }],
]);
const pool = (...entries: [key: string, weight?: bigint][]) =>
  entries.map(([key, weight = 1n]) => ({ key, weight }));
const state = (rotation: Ledger) => [...rotation].map(([key, { credit, last }]) => [key, credit, last]);
const quarters = (count: bigint) => (CREDIT_UNIT * count) / 4n;

describe('reconcileLedger', () => {
  it('starts everyone at 0', () => {
    expect(state(reconcileLedger(undefined, pool(['ada'], ['bob'])))).toEqual([
      ['ada', 0n, 0],
      ['bob', 0n, 0],
    ]);
  });

  it('keeps those who stay, whatever their weights and order, and starts joiners at 0', () => {
    const members = pool(['new'], ['eve', 90n], ['bob', 5n], ['ada', 0n]);
    expect(state(reconcileLedger(stored, members))).toEqual([
      ['new', 0n, 0],
      ['eve', quarters(-1n), 2],
      ['bob', quarters(-1n), 4],
      ['ada', quarters(2n), 3],
    ]);
  });

  it('divides what a leaver was owed among those who stay, not those who join', () => {
    expect(state(reconcileLedger(stored, pool(['bob'], ['new'], ['eve'])))).toEqual([
      ['bob', 0n, 4],
      ['new', 0n, 0],
      ['eve', 0n, 2],
    ]);
    expect(state(reconcileLedger(stored, pool(['ada'], ['bob'])))).toEqual([
      ['ada', (CREDIT_UNIT * 3n) / 8n, 3],
      ['bob', (CREDIT_UNIT * -3n) / 8n, 4],
    ]);
  });

  it('leaves out those without a weight while somebody has one', () => {
    expect(state(reconcileLedger(stored, pool(['ada', 0n], ['bob'])))).toEqual([
      ['ada', quarters(2n), 3],
      ['bob', quarters(-2n), 4],
    ]);
    expect(state(reconcileLedger(stored, pool(['bob', 0n])))).toEqual([['bob', 0n, 4]]);
  });

  it('forgets everything when everyone leaves', () => {
    expect(state(reconcileLedger(stored, pool(['new'])))).toEqual([['new', 0n, 0]]);
    expect(reconcileLedger(stored, []).size).toBe(0);
  });

  it('loses no unit to rounding', () => {
    const odd: Ledger = new Map([
      ['a', { credit: 7n, last: 0 }],
      ['b', { credit: -3n, last: 0 }],
      ['c', { credit: -4n, last: 0 }],
      ['d', { credit: 0n, last: 0 }],
    ]);
    expect(state(reconcileLedger(odd, pool(['b'], ['c'], ['d'])))).toEqual([
      ['b', 0n, 0],
      ['c', -2n, 0],
      ['d', 2n, 0],
    ]);
  });
});
