import fc from 'fast-check';
import { CREDIT_UNIT, creditToNumber, divideCredit, shareOut } from './credit.js';

const sum = (values: readonly bigint[]) => values.reduce((total, value) => total + value, 0n);

describe('credit', () => {
  it('is exact for up to 100 equal members, whole weights up to 100, and percentages with 4 decimals', () => {
    for (let n = 1n; n <= 100n; n += 1n) expect(CREDIT_UNIT % n).toBe(0n);
    expect(CREDIT_UNIT % 1_000_000n).toBe(0n);
    expect(shareOut([33n, 67n])).toEqual([(CREDIT_UNIT * 33n) / 100n, (CREDIT_UNIT * 67n) / 100n]);
  });

  it('shares out exactly one assignment, each within one unit of the exact share', () => {
    const weights = fc.array(fc.bigInt(1n, 10n ** 12n), { minLength: 1, maxLength: 150 });
    fc.assert(
      fc.property(weights, (list) => {
        const shares = shareOut(list);
        expect(sum(shares)).toBe(CREDIT_UNIT);
        const total = sum(list);
        for (const [index, share] of shares.entries()) {
          const error = share * total - CREDIT_UNIT * list[index]!;
          expect(error > -total && error < total).toBe(true);
        }
      }),
    );
  });

  it('divides an amount of either sign without remainder, in parts that differ by at most one unit', () => {
    fc.assert(
      fc.property(fc.bigInt(-(10n ** 45n), 10n ** 45n), fc.integer({ min: 1, max: 60 }), (amount, parts) => {
        const divided = divideCredit(amount, parts);
        expect(divided).toHaveLength(parts);
        expect(sum(divided)).toBe(amount);
        const sorted = [...divided].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
        expect(sorted.at(-1)! - sorted[0]!).toBeLessThanOrEqual(1n);
      }),
    );
  });

  it.each([
    [CREDIT_UNIT, 1],
    [0n, 0],
    [CREDIT_UNIT / 3n, 0.333333],
    [(-2n * CREDIT_UNIT) / 3n, -0.666667],
    [-1n, 0],
    [1n - CREDIT_UNIT, -1],
  ])('shows %s as %s', (credit, shown) => {
    expect(creditToNumber(credit)).toBe(shown);
  });
});
