import { CREDIT_UNIT } from './credit.js';

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
