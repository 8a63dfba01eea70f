import { isUtf8 } from 'node:buffer';
import { parse as parseForm } from 'node:querystring';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';
import { errorCode } from '../../database/index.js';
import { DomainError } from '../../errors/domain-error.js';
import { invalid } from '../../errors/errors.js';
import { exceededBound } from './json-bounds.js';
import { parseJson } from './parse-json.js';

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
