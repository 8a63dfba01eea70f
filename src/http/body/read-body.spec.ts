import { randomBytes } from 'node:crypto';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { inflateBody } from './read-body.js';

const LIMIT = 256 * 1024;
const KIB = 1024;

const CODECS: [encoding: string, compress: (bytes: Buffer) => Buffer][] = [
  ['gzip', gzipSync],
  ['x-gzip', gzipSync],
  ['deflate', deflateSync],
  ['br', brotliCompressSync],
];

const inflated = (encoding: string, bytes: Buffer): Promise<Buffer> => inflateBody(bytes, encoding, LIMIT);

describe.each(CODECS)('A body compressed with %s', (encoding, compress) => {
  it('is inflated up to the limit, and refused with a byte more [contract 1]', async () => {
    const whole = randomBytes(LIMIT);
    expect((await inflated(encoding, compress(whole))).equals(whole)).toBe(true);
    const more = compress(Buffer.concat([whole, Buffer.from('x')]));
    await expect(inflated(encoding, more)).rejects.toMatchObject({
      status: 413,
      message: `The body is larger than ${LIMIT} bytes when it is inflated`,
    });
  });

  it('may grow 20 times, or to 64 KiB [contract 1]', async () => {
    expect(await inflated(encoding, compress(Buffer.alloc(64 * KIB)))).toHaveLength(64 * KIB);
    await expect(inflated(encoding, compress(Buffer.alloc(64 * KIB + 1)))).rejects.toMatchObject({
      status: 413,
      message: expect.stringContaining('may grow 20 times') as string,
    });
  });

  it('is refused where it ends early, is none or is nothing [contract 1]', async () => {
    const whole = compress(randomBytes(1_000));
    for (const bytes of [whole.subarray(0, 500), Buffer.from('{"fields":{}}'), Buffer.alloc(0)]) {
      await expect(inflated(encoding, bytes)).rejects.toMatchObject({
        status: 400,
        message: `The body does not inflate as ${encoding}`,
      });
    }
  });
});

it('A body that is not compressed stays as it is [contract 1]', async () => {
  const bytes = Buffer.from('{}');
  expect(await inflated('identity', bytes)).toBe(bytes);
});
