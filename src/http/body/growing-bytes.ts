/** Bytes of the first buffer that is made for pieces, so that tiny pieces do not make many. */
const SMALLEST = 1024;

/**
 * Joins pieces of a body. A single piece stays as it is; several are copied into one buffer that grows by
 * doubling. However small the pieces are, the cost is linear in the bytes, and the memory at most three times
 * theirs.
 */
export class GrowingBytes {
  private buffer: Buffer = Buffer.alloc(0);
  private used = 0;

  /** @param most bytes that are ever added; the buffer is never larger */
  constructor(private readonly most: number) {}

  /** The number of bytes added. */
  get length(): number {
    return this.used;
  }

  /**
   * Adds a piece, which must not change afterwards.
   * @throws RangeError where the bytes become more than `most`
   */
  add(piece: Buffer): void {
    const length = this.used + piece.length;
    if (length > this.most) throw new RangeError(`There are more than ${this.most} bytes`);
    if (this.used === 0) this.buffer = piece;
    else {
      if (length > this.buffer.length) this.grow(length);
      piece.copy(this.buffer, this.used);
    }
    this.used = length;
  }

  /** Returns the bytes added so far. */
  bytes(): Buffer {
    return this.buffer.subarray(0, this.used);
  }

  private grow(length: number): void {
    const larger = Math.min(Math.max(2 * this.buffer.length, length, SMALLEST), this.most);
    const grown = Buffer.allocUnsafeSlow(larger);
    this.buffer.copy(grown, 0, 0, this.used);
    this.buffer = grown;
  }
}
