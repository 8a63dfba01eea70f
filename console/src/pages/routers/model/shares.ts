/** The sum of shares, of which each has up to 4 decimals. */
export function totalOf(shares: readonly { percentage?: number }[]): number {
  return shares.reduce((sum, { percentage = 0 }) => sum + Math.round(percentage * 10_000), 0) / 10_000;
}
