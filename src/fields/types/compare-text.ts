/** Orders two texts without regard to case, by code unit and independent of any locale: <0, 0 or >0. */
export function compareText(left: string, right: string): number {
  const a = left.toLowerCase();
  const b = right.toLowerCase();
  return a < b ? -1 : Number(a > b);
}
