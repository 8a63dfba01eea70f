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

/** Returns the number of files in `pg_wal` that hold a part of the WAL. */
export function countSegments({ segmentBytes, start, stop }: WalRange): number {
  const size = BigInt(segmentBytes);
  return Number((parseLsn(stop) - 1n) / size - parseLsn(start) / size) + 1;
}

/** Returns the names of the files in `pg_wal` that hold a part of the WAL, in their order. */
export function walSegments(range: WalRange): string[] {
  const { timeline, segmentBytes, start } = range;
  const size = BigInt(segmentBytes);
  const perFile = 0x1_0000_0000n / size;
  const first = parseLsn(start) / size;
  return Array.from({ length: countSegments(range) }, (_, index) => {
    const segment = first + BigInt(index);
    return hex(timeline) + hex(segment / perFile) + hex(segment % perFile);
  });
}
