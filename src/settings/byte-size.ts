const UNITS: Readonly<Record<string, number>> = { b: 1, kb: 1024, mb: 1024 * 1024 };

/** A size as a setting gives it: a whole number of bytes, or of KiB (`kb`) or MiB (`mb`). */
export const BYTE_SIZE = /^([1-9]\d{0,9})(b|kb|mb)?$/i;

/** Returns the number of bytes of a size that matches `BYTE_SIZE`. */
export function bytesOf(size: string): number {
  const [, count = '', unit = 'b'] = BYTE_SIZE.exec(size) ?? [];
  return Number(count) * (UNITS[unit.toLowerCase()] ?? 1);
}
