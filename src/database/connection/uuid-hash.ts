const rotated = (value: number, bits: number): number => (value << bits) | (value >>> (32 - bits));

/** The rotations of lookup3, of its rounds and of its end. */
const ROUNDS = [4, 6, 8, 16, 19, 4];
const END = [14, 11, 25, 16, 4, 14, 24];

/**
 * Returns what PostgreSQL's `uuid_hash` returns on a little-endian machine, by which a cluster cuts its
 * tables: Jenkins's lookup3 of 16 bytes (`hash_bytes` in PostgreSQL's src/common/hashfn.c).
 */
export function uuidHash(id: string): number {
  const bytes = Buffer.from(id.replaceAll('-', ''), 'hex');
  const word = (index: number): number => bytes.readInt32LE(4 * index);
  const start = (0x9e3779b9 + bytes.length + 3_923_095) | 0;
  let [a, b, c] = [(start + word(0)) | 0, (start + word(1)) | 0, (start + word(2)) | 0];
  // The three take turns: after each step, the next one is in the place of the one that was changed.
  for (const bits of ROUNDS) [a, b, c] = [b, (c + b) | 0, ((a - c) ^ rotated(c, bits)) | 0];
  a = (a + word(3)) | 0;
  for (const bits of END) [a, b, c] = [b, ((c ^ b) - rotated(b, bits)) | 0, a];
  return b;
}
