import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';
import type { Request } from 'express';
import getRawBody from 'raw-body';
import { errorCode } from '../../database/index.js';
import { DomainError } from '../../errors/domain-error.js';
import { invalid } from '../../errors/errors.js';

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

/**
 * Reads the bytes of a body and inflates them.
 * @throws DomainError 400 for bytes that do not inflate, 413, 415 for an unknown content encoding; the error
 *   of `raw-body` when the client stops sending
 */
export async function readBody(request: Request, { limit, compressed }: BodyLimits): Promise<Buffer> {
  const { headers } = request;
  const encoding = (headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  const inflates = encoding === 'identity' ? undefined : inflaterOf(encoding, compressed);
  const length = headers['content-length'];
  const sent = await getRawBody(request, { limit, ...(length === undefined ? {} : { length }) });
  if (inflates === undefined) return sent;
  const most = Math.min(limit, Math.max(SMALL, sent.length * MAX_RATIO));
  try {
    return await inflates(sent, { maxOutputLength: most });
  } catch (error) {
    if (errorCode(error) === 'ERR_BUFFER_TOO_LARGE') throw tooLargeInflated(most, limit);
    throw invalid([{ message: `The body does not inflate as ${encoding}` }]);
  }
}

function inflaterOf(encoding: string, compressed: boolean): (typeof INFLATE)[keyof typeof INFLATE] {
  if (!compressed) throw new DomainError(415, 'The body must not be compressed here');
  if (Object.hasOwn(INFLATE, encoding)) return INFLATE[encoding as keyof typeof INFLATE];
  throw new DomainError(415, 'The body must be plain or compressed with gzip, deflate or br');
}

function tooLargeInflated(most: number, limit: number): DomainError {
  const reason =
    most === limit ? '' : `; a compressed body may grow ${MAX_RATIO} times, and never beyond ${limit} bytes`;
  return new DomainError(413, `The body is larger than ${most} bytes when it is inflated${reason}`);
}
