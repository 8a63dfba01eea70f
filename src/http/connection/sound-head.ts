import type { RequestHandler } from 'express';
import { invalid } from '../../errors/errors.js';

/**
 * Middleware that refuses heads of which a proxy may have another opinion than this server: more than one
 * Host (RFC 9112 section 3.2), and a transfer encoding other than `chunked`, which would not be decoded.
 * Throws 400.
 */
export const soundHead: RequestHandler = ({ rawHeaders, headers }, response, next) => {
  const encoding = headers['transfer-encoding'];
  const problem =
    countHosts(rawHeaders) > 1
      ? 'The Host header must be sent once'
      : encoding !== undefined && encoding.toLowerCase() !== 'chunked'
        ? 'The Transfer-Encoding must be chunked'
        : undefined;
  if (problem === undefined) {
    next();
    return;
  }
  response.setHeader('Connection', 'close');
  next(invalid([{ message: problem }]));
};

function countHosts(rawHeaders: readonly string[]): number {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index];
    if (name?.length === 4 && name.toLowerCase() === 'host') count++;
  }
  return count;
}
