import { EMPTY_ROTATION_STATE, type Ledger } from '../model/rotation.js';
import { CREDIT_UNIT } from './credit.js';
import { worstDeviation } from './worst-deviation.js';

const ledger = (...credits: readonly bigint[]): Ledger =>
  new Map(credits.map((credit, n) => [`user ${n}`, { credit, last: 0 }]));

describe('the worst deviation of a rotation', () => {
  it('is 0 before the first turn', () => expect(worstDeviation(EMPTY_ROTATION_STATE)).toBe(0));

  it('is that of the member who is owed most, or has had most, in any ledger', () => {
    const half = CREDIT_UNIT / 2n;
    const users = ledger(half, -half / 2n, -half / 2n);
    expect(worstDeviation({ seq: 1, ledgers: new Map([['users', users]]) })).toBe(0.5);
    const teams = ledger(-half - half / 2n, half + half / 2n);
    const ledgers = new Map([
      ['users', users],
      ['teams', teams],
    ]);
    expect(worstDeviation({ seq: 2, ledgers })).toBe(0.75);
  });
});
