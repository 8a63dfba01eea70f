/**
 * The most bytes that the fields of the records of one transaction have as JSON text, about as many as the
 * largest record. A single record may have more.
 */
const PART_BYTES = 8 * 1024 * 1024;

/** Bytes beyond what any record has. */
const ANY_SIZE = 64 * 1024 * 1024;

/** Returns the most bytes of a record that is read together with others; `count` of them make one part. */
export function bytesOfEach(count: number): number {
  return count === 1 ? ANY_SIZE : Math.floor(PART_BYTES / count);
}

/**
 * Returns the first of some objects, at least one, whose records have no more than PART_BYTES together.
 * @param bytes the sizes of the records that are larger than `bytesOfEach`
 */
export function firstPart(
  objectIds: readonly string[],
  bytes: ReadonlyMap<string, number>,
): readonly string[] {
  const each = bytesOfEach(objectIds.length);
  let left = PART_BYTES;
  const end = objectIds.findIndex((id, index) => {
    left -= bytes.get(id) ?? each;
    return left < 0 && index > 0;
  });
  return end === -1 ? objectIds : objectIds.slice(0, end);
}
