/** A text without regard to case and to Unicode composition: the form in which texts are compared. */
export function foldText(text: string): string {
  return text.normalize('NFC').toLowerCase();
}

/** Orders two folded texts by code unit, independent of any locale: negative, zero or positive. */
export function compareFolded(left: string, right: string): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}
