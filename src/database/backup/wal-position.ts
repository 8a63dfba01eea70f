/** Returns a position in the WAL (`3/5F00A0D8`) as a number of bytes. @throws Error when it is not one */
export function parseLsn(text: string): bigint {
  const [, high, low] = /^([0-9A-F]{1,8})\/([0-9A-F]{1,8})$/i.exec(text) ?? [];
  if (high === undefined || low === undefined) throw new Error(`${text} is not a position in the WAL`);
  return (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`);
}

/** A part of the WAL of one timeline. */
export interface WalRange {
  readonly timeline: number;
  readonly segmentBytes: number;
  /** Position of the first byte (`3/5F00A0D8`). */
  readonly start: string;
  /** Position behind the last byte. */
  readonly stop: string;
}

const hex = (value: bigint | number): string => value.toString(16).toUpperCase().padStart(8, '0');

/** Returns the names of the files in `pg_wal` that hold a part of the WAL, in their order. */
export function walSegments({ timeline, segmentBytes, start, stop }: WalRange): string[] {
  const size = BigInt(segmentBytes);
  const perFile = 0x1_0000_0000n / size;
  const [first, last] = [parseLsn(start) / size, (parseLsn(stop) - 1n) / size];
  return Array.from({ length: Number(last - first) + 1 }, (_, index) => {
    const segment = first + BigInt(index);
    return hex(timeline) + hex(segment / perFile) + hex(segment % perFile);
  });
}
