/**
 * Returns the largest deviation of any prefix of a list of assignments from fair shares: the largest |share ·
 * t − count| over all members and t. The best possible value for m members is 1 − 1/(2m − 2) (Tijdeman 1980).
 * @param shares by name, summing to 1
 */
export function worstDeviation(names: readonly string[], shares: Readonly<Record<string, number>>): number {
  let worst = 0;
  for (const [member, share] of Object.entries(shares)) {
    let count = 0;
    for (const [index, name] of names.entries()) {
      if (name === member) count += 1;
      worst = Math.max(worst, Math.abs(share * (index + 1) - count));
    }
  }
  return worst;
}

/** Tijdeman's bound for m members, plus a tolerance for rounding errors of floating-point sums. */
export const tijdeman = (m: number): number => 1 - 1 / (2 * m - 2) + 1e-9;

/** The same share for everyone. */
export const equalShares = (names: readonly string[]): Record<string, number> =>
  Object.fromEntries(names.map((name) => [name, 1 / names.length]));
