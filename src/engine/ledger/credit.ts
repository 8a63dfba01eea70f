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

/** A member that can take the turn. */
export interface Contender {
  /** Above zero. */
  readonly weight: bigint;
  /** The credit, including the share of this assignment. */
  readonly credit: bigint;
  /** `seq` of the last assignment; 0 for never. */
  readonly last: number;
}

/** The rule that decided. */
export type CreditRule = 'only_one' | 'earliest_deadline' | 'most_owed';

/**
 * Chooses the contender that takes the turn, by credit. Two cases exist; the credits tell which one applies:
 *
 * - The credits of the eligible members before this assignment sum to 0, and so do those of the absent ones:
 *   the two groups owe each other nothing. This is the chairman assignment problem. Tijdeman's rule (Discrete
 *   Mathematics 32, 1980) applies: with d = 1/(2m−2), among those whose credit is at least d, take the one
 *   with the first deadline (1 − d − credit)/share. No credit ever leaves ±(1 − 1/(2m−2)), which is the best
 *   possible bound. A member above 1 − d (possible only after changes of membership or of presence) comes
 *   before every deadline, the largest credit first; this brings the rotation back within the bound.
 * - The absent members together hold credit for or against the eligible ones. This is the carpool problem,
 *   for which no such bound exists. The member with the largest credit is taken.
 *
 * ADR 5 has what was measured there.
 *
 * All comparisons are exact. Ties go to the least recent `last`, then to the order given. O(m).
 *
 * @param contenders at least one; their credits include the shares of this assignment, which sum to
 *   CREDIT_UNIT
 */
export function chooseByCredit(contenders: readonly Contender[]): {
  readonly index: number;
  readonly rule: CreditRule;
} {
  const m = BigInt(contenders.length);
  if (m === 1n) return { index: 0, rule: 'only_one' };
  // All credits are in units of 1/(2m − 2) of a credit unit, so that d is a whole number.
  const scale = 2n * m - 2n;
  const d = CREDIT_UNIT;
  const limit = scale * CREDIT_UNIT - d;
  const scaled = contenders.map(({ weight, credit, last }, index): Scaled => {
    return { index, weight, credit: scale * credit, last };
  });
  const closed = contenders.reduce((sum, { credit }) => sum + credit, 0n) === CREDIT_UNIT;
  if (!closed || scaled.some(({ credit }) => credit > limit)) {
    return { index: firstOf(scaled, (a, b) => b.credit - a.credit), rule: 'most_owed' };
  }
  // At least one is due: the credits sum to 1, so the largest is at least 1/m, and 1/m is at least d.
  const due = scaled.filter(({ credit }) => credit >= d);
  // Compares (limit − a)/weight with (limit − b)/weight, without a division.
  const byDeadline = (a: Scaled, b: Scaled) => (limit - a.credit) * b.weight - (limit - b.credit) * a.weight;
  return { index: firstOf(due, byDeadline), rule: 'earliest_deadline' };
}

interface Scaled extends Contender {
  readonly index: number;
}

/** The index of the first in an order. `last` decides between equals, then the position. */
function firstOf(contenders: readonly Scaled[], order: (a: Scaled, b: Scaled) => bigint): number {
  return contenders.reduce((best, each) => {
    const before = order(each, best);
    return before < 0n || (before === 0n && each.last < best.last) ? each : best;
  }).index;
}
