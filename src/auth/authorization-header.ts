import type { IncomingMessage } from 'node:http';
import { unauthorized } from '../errors/errors.js';
import { headerValues } from '../http/index.js';
import { invalidToken } from './token-errors.js';

/** Most characters of an Authorization header. An access token of this service has about 600. */
const MAX_LENGTH = 4_096;

/** RFC 6750 section 2.1. It is anchored and every step consumes a character, so it takes linear time. */
const BEARER = /^Bearer +([A-Za-z0-9._~+/-]+=*)$/i;

/** Reads the bearer token of a request. @throws 401 unless its one Authorization header is that */
export function bearerToken(request: Pick<IncomingMessage, 'rawHeaders'>): string {
  const [header, ...more] = headerValues(request, 'authorization');
  if (more.length > 0) throw unauthorized('Unauthorized: the Authorization header must be sent once');
  if (header === undefined) throw unauthorized('Unauthorized: missing bearer token');
  if (header.length > MAX_LENGTH) throw invalidToken();
  const token = BEARER.exec(header)?.[1];
  if (token === undefined) throw unauthorized('Unauthorized: missing bearer token');
  return token;
}
