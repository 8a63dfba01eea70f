const divisor = (a: bigint, b: bigint): bigint => (b === 0n ? a : divisor(b, a % b));

/** 100 percent in units of 0.0001. */
const PERCENTAGES = 1_000_000n;

/**
 * One assignment in the unit of credits, which makes shares whole numbers: of up to 100 equal members, of
 * whole weights that sum to at most 100, of percentages with up to 4 decimals.
 */
export const CREDIT_UNIT = Array.from({ length: 100 }, (_, n) => BigInt(n + 1)).reduce(
  (multiple, n) => (multiple / divisor(multiple, n)) * n,
  PERCENTAGES,
);

/**
 * The share of each member in one assignment: `CREDIT_UNIT` in proportion to the weights. The shares always
 * sum to exactly `CREDIT_UNIT`. A share that is not a whole number of units is rounded down; the units left
 * over, fewer than the members, go one each to the first of those rounded.
 *
 * @param weights at least one, each above zero
 */
export function shareOut(weights: readonly bigint[]): readonly bigint[] {
  const total = weights.reduce((sum, weight) => sum + weight, 0n);
  const shares = weights.map((weight) => (CREDIT_UNIT * weight) / total);
  let left = CREDIT_UNIT - shares.reduce((sum, share) => sum + share, 0n);
  return shares.map((share, index) => {
    const exact = share * total === CREDIT_UNIT * (weights[index] ?? 0n);
    if (left === 0n || exact) return share;
    left -= 1n;
    return share + 1n;
  });
}

/** Divides credit, of either sign, into equal parts that sum to it; the first get what is left over. */
export function divideCredit(amount: bigint, parts: number): readonly bigint[] {
  const count = BigInt(parts);
  const part = amount / count;
  const left = amount % count;
  const step = left < 0n ? -1n : 1n;
  return Array.from({ length: parts }, (_, index) => (BigInt(index) < left * step ? part + step : part));
}

const UNIT = Number(CREDIT_UNIT);

/** A credit as a number of assignments, rounded to 6 places or as many as given. For display only. */
export function creditToNumber(credit: bigint, places = 6): number {
  const scale = 10 ** places;
  return Math.round((Number(credit) / UNIT) * scale) / scale + 0;
}
