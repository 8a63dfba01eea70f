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
  if (m === 1n) {
    return { index: 0, rule: 'only_one' };
  }
  // All values are in units of 1/(2m − 2) of a credit unit, so that d is a whole number.
  const scale = 2n * m - 2n;
  const d = CREDIT_UNIT;
  const limit = scale * CREDIT_UNIT - d;
  const scaled = contenders.map((contender) => scale * contender.credit);
  const credit = (index: number) => scaled[index] ?? 0n;

  const closed = contenders.reduce((sum, contender) => sum + contender.credit, 0n) === CREDIT_UNIT;
  if (!closed || scaled.some((value) => value > limit)) {
    return {
      index: least(
        contenders,
        () => true,
        (a, b) => compare(credit(b), credit(a)),
      ),
      rule: 'most_owed',
    };
  }
  const weight = (index: number) => contenders[index]?.weight ?? 1n;
  // Compares (limit − a)/weight with (limit − b)/weight, without a division.
  const byDeadline = (a: number, b: number) =>
    compare((limit - credit(a)) * weight(b), (limit - credit(b)) * weight(a));
  // At least one is due: the credits sum to 1, so the largest is at least 1/m, and 1/m is at least d.
  return { index: least(contenders, (index) => credit(index) >= d, byDeadline), rule: 'earliest_deadline' };
}

/**
 * Index of the first contender in the given order of precedence. `last` decides between equals, then the
 * position.
 */
function least(
  contenders: readonly Contender[],
  admitted: (index: number) => boolean,
  order: (a: number, b: number) => number,
): number {
  let best = -1;
  for (const [index, contender] of contenders.entries()) {
    if (!admitted(index)) continue;
    const before = best < 0 ? -1 : order(index, best) || contender.last - (contenders[best]?.last ?? 0);
    if (before < 0) best = index;
  }
  return best;
}

function compare(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
