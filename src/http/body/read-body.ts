import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';
import type { Request } from 'express';
import { errorCode } from '../../database/index.js';
import { DomainError } from '../../errors/domain-error.js';
import { invalid } from '../../errors/errors.js';
import { receiveBytes } from './receive-bytes.js';

/** What a route accepts of a body. */
export interface BodyLimits {
  /** Most bytes, as they are sent and after they are inflated. */
  readonly limit: number;
  /** Whether a body may be compressed. */
  readonly compressed: boolean;
}

/** Bytes to which any compressed body may inflate. */
const SMALL = 64 * 1024;

/** How many times its size a compressed body may grow beyond `SMALL`. JSON of records grows 5 to 15 times. */
const MAX_RATIO = 20;

const INFLATE = {
  gzip: promisify(gunzip),
  'x-gzip': promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
} as const;

/** The bytes of a body as they were sent. */
export interface SentBody {
  readonly bytes: Buffer;
  /** The content encoding, in lower case. */
  readonly encoding: string;
}

/**
 * Receives the bytes of a body.
 * @throws DomainError 413, 415 for an unknown content encoding, 400 when the client stops sending
 */
export async function receiveBody(request: Request, { limit, compressed }: BodyLimits): Promise<SentBody> {
  const { headers } = request;
  const encoding = (headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  if (encoding !== 'identity') inflaterOf(encoding, compressed);
  return { bytes: await receiveBytes(request, limit), encoding };
}

/**
 * Inflates a body that was sent compressed.
 * @param limit most bytes after it
 * @throws DomainError 400 for bytes that do not inflate, 413
 */
export async function inflateBody({ bytes, encoding }: SentBody, limit: number): Promise<Buffer> {
  if (encoding === 'identity') return bytes;
  const most = Math.min(limit, Math.max(SMALL, bytes.length * MAX_RATIO));
  try {
    return await inflaterOf(encoding, true)(bytes, { maxOutputLength: most });
  } catch (error) {
    if (errorCode(error) === 'ERR_BUFFER_TOO_LARGE') throw tooLargeInflated(most, limit);
    throw invalid([{ message: `The body does not inflate as ${encoding}` }]);
  }
}

function inflaterOf(encoding: string, compressed: boolean): (typeof INFLATE)[keyof typeof INFLATE] {
  if (!compressed) throw new DomainError('unsupported_media_type', 'The body must not be compressed here');
  if (Object.hasOwn(INFLATE, encoding)) return INFLATE[encoding as keyof typeof INFLATE];
  throw new DomainError(
    'unsupported_media_type',
    'The body must be plain or compressed with gzip, deflate or br',
  );
}

function tooLargeInflated(most: number, limit: number): DomainError {
  const reason =
    most === limit ? '' : `; a compressed body may grow ${MAX_RATIO} times, and never beyond ${limit} bytes`;
  return new DomainError('too_large', `The body is larger than ${most} bytes when it is inflated${reason}`);
}
