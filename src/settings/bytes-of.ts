const UNITS: Readonly<Record<string, number>> = { '': 1, b: 1, kb: 1024, mb: 1024 * 1024 };

/** What a size must look like: a number of bytes, or with the unit b, kb or mb in any case. */
export const SIZE = /^([1-9]\d{0,9})(b|kb|mb)?$/i;

/**
 * Returns the bytes of a size such as `64kb`. A kilobyte has 1024 bytes, as for body-parser.
 * @throws Error for a text that SIZE does not match
 */
export function bytesOf(size: string): number {
  const [, digits, unit = ''] = SIZE.exec(size) ?? [];
  const factor = UNITS[unit.toLowerCase()];
  if (digits === undefined || factor === undefined) throw new Error(`${size} is not a size`);
  return Number(digits) * factor;
}
