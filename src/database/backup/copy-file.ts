import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';

/** What a file holds. */
export interface Fingerprint {
  /** Bytes. */
  readonly size: number;
  /** SHA-256, in hexadecimal digits. */
  readonly sha256: string;
}

const READ_BYTES = 1024 * 1024;

/**
 * Copies a file, which may grow or shrink meanwhile, to one that must not exist. Only its owner may read the
 * copy, which is not flushed to the disk.
 * @returns the fingerprint of what was copied
 * @throws a system error; where it is that of a missing source, nothing was written
 */
export async function copyFile(source: string, target: string): Promise<Fingerprint> {
  const original = await open(source, 'r');
  const hash = createHash('sha256');
  let size = 0;
  await pipeline(
    original.createReadStream({ highWaterMark: READ_BYTES }),
    async function* (chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        hash.update(chunk);
        size += chunk.length;
        yield chunk;
      }
    },
    createWriteStream(target, { flags: 'wx', mode: 0o600 }),
  );
  return { size, sha256: hash.digest('hex') };
}
