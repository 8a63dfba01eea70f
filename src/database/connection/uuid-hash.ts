const rotated = (value: number, bits: number): number => (value << bits) | (value >>> (32 - bits));

/**
 * Returns what PostgreSQL's `uuid_hash` returns on a little-endian machine, by which a cluster cuts its
 * tables: Jenkins's lookup3 of 16 bytes (`hash_bytes` in PostgreSQL's src/common/hashfn.c).
 */
export function uuidHash(id: string): number {
  const bytes = Buffer.from(id.replaceAll('-', ''), 'hex');
  const word = (index: number): number => bytes.readInt32LE(4 * index);
  const start = (0x9e3779b9 + bytes.length + 3_923_095) | 0;
  let [a, b, c] = [(start + word(0)) | 0, (start + word(1)) | 0, (start + word(2)) | 0];
  a = ((a - c) ^ rotated(c, 4)) | 0;
  c = (c + b) | 0;
  b = ((b - a) ^ rotated(a, 6)) | 0;
  a = (a + c) | 0;
  c = ((c - b) ^ rotated(b, 8)) | 0;
  b = (b + a) | 0;
  a = ((a - c) ^ rotated(c, 16)) | 0;
  c = (c + b) | 0;
  b = ((b - a) ^ rotated(a, 19)) | 0;
  a = (a + c) | 0;
  c = ((c - b) ^ rotated(b, 4)) | 0;
  b = (b + a) | 0;
  a = (a + word(3)) | 0;
  c = ((c ^ b) - rotated(b, 14)) | 0;
  a = ((a ^ c) - rotated(c, 11)) | 0;
  b = ((b ^ a) - rotated(a, 25)) | 0;
  c = ((c ^ b) - rotated(b, 16)) | 0;
  a = ((a ^ c) - rotated(c, 4)) | 0;
  b = ((b ^ a) - rotated(a, 14)) | 0;
  return ((c ^ b) - rotated(b, 24)) | 0;
}
