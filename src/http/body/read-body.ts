import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { parse as parseForm } from 'node:querystring';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';
import { errorCode } from '../../database/index.js';
import { DomainError } from '../../errors/domain-error.js';
import { invalid } from '../../errors/errors.js';
import { exceededBound, parseJson } from './json.js';

/** Bytes to which any compressed body may inflate. */
const SMALL = 64 * 1024;

/** How many times its size a compressed body may grow beyond `SMALL`. JSON of records grows 5 to 15 times. */
const MAX_RATIO = 20;

const INFLATE = new Map([
  ['gzip', promisify(gunzip)],
  ['x-gzip', promisify(gunzip)],
  ['deflate', promisify(inflate)],
  ['br', promisify(brotliDecompress)],
]);

/**
 * Receives all bytes of a request's body as they are sent, in one buffer of the declared length, or of the
 * limit: a buffer for each piece takes 400 times the memory of pieces of one byte. The request is paused
 * where it fails.
 * @param limit most bytes
 * @throws DomainError 413 beyond the limit, at once where the declared length says so; 400 when the client
 *   stops sending, or sends another number of bytes than it has declared
 * @throws Error when something else has read the body, or decodes it as text
 */
export function receiveBytes(request: IncomingMessage, limit: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    // Node.js refuses a length that is no number of bytes.
    const { 'content-length': declared } = request.headers;
    const most = Math.min(limit, Number(declared ?? limit));
    const bytes = Buffer.allocUnsafe(most);
    let received = 0;

    const settle = (settled: () => void): void => {
      request.off('data', add).off('end', finish).off('error', fail).off('close', fail);
      settled();
    };
    const refuse = (error: Error): void =>
      settle(() => {
        request.pause();
        reject(error);
      });
    const tooLarge = (): void =>
      refuse(new DomainError('too_large', `The body is larger than ${limit} bytes`));
    const fail = (): void => refuse(new DomainError('invalid_request', 'The request could not be read'));
    const add = (piece: Buffer): void => {
      if (received + piece.length > limit) tooLarge();
      else if (received + piece.length > most) fail();
      else received += piece.copy(bytes, received);
    };
    const finish = (): void => {
      if (declared !== undefined && received < most) fail();
      else settle(() => resolve(bytes.subarray(0, received)));
    };

    if (Number(declared) > limit) tooLarge();
    else if (request.readableAborted) fail();
    else if (!request.readable || request.readableEncoding !== null) {
      refuse(new Error('Something else has read the body of the request'));
    } else request.on('data', add).on('end', finish).on('error', fail).on('close', fail);
  });
}

/** Whether bodies of a content encoding can be read. @param encoding in lower case */
export const isReadable = (encoding: string): boolean => encoding === 'identity' || INFLATE.has(encoding);

/**
 * Inflates a body that was sent compressed. One that was not stays as it is.
 * @param limit most bytes after it
 * @throws DomainError 400 for bytes that do not inflate, 413
 */
export async function inflateBody(bytes: Buffer, encoding: string, limit: number): Promise<Buffer> {
  const inflater = INFLATE.get(encoding);
  if (inflater === undefined) return bytes;
  const most = Math.min(limit, Math.max(SMALL, bytes.length * MAX_RATIO));
  try {
    return await inflater(bytes, { maxOutputLength: most });
  } catch (error) {
    if (errorCode(error) !== 'ERR_BUFFER_TOO_LARGE') {
      throw invalid([{ message: `The body does not inflate as ${encoding}` }]);
    }
    const reason = `; a compressed body may grow ${MAX_RATIO} times, and never beyond ${limit} bytes`;
    throw new DomainError(
      'too_large',
      `The body is larger than ${most} bytes when it is inflated${most === limit ? '' : reason}`,
    );
  }
}

/**
 * Parses the parameters of a form: names in an object without a prototype, so that each is an ordinary one.
 * @throws DomainError 400
 */
export const formOf = (bytes: Buffer): unknown => parseForm(textOf(bytes), '&', '=', { maxKeys: 0 });

/** Parses JSON. A body of no bytes is an empty object. @throws DomainError 400 */
export function jsonOf(bytes: Buffer): unknown {
  const text = textOf(bytes);
  if (text === '') return {};
  const excess = exceededBound(bytes);
  if (excess !== undefined) throw invalid([{ message: excess }]);
  try {
    return parseJson(text.replace(/^\uFEFF/, ''));
  } catch {
    throw invalid([{ message: 'The body is not valid JSON' }]);
  }
}

function textOf(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw invalid([{ message: 'The body is not valid UTF-8' }]);
  return bytes.toString();
}
