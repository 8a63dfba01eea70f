import type { IncomingMessage, ServerResponse } from 'node:http';
import { newId } from '../database/index.js';

const HEADER = 'X-Request-Id';

/** What is taken over from a client: short, and harmless in a header or a log line. */
const SANE = /^[A-Za-z0-9._:/+=@-]{1,128}$/;

/**
 * The id of a request: the client's `X-Request-Id` if it is sane, else a new one. Puts it on the response
 * too.
 */
export function assignRequestId(request: IncomingMessage, response: ServerResponse): string {
  const sent = request.headers['x-request-id'];
  const id = typeof sent === 'string' && SANE.test(sent) ? sent : newId();
  response.setHeader(HEADER, id);
  return id;
}

/**
 * The id of the request that a response answers. Assigns one where no middleware has, and headers can still
 * be set.
 */
export function requestId(request: IncomingMessage, response: ServerResponse): string {
  const assigned = response.getHeader(HEADER);
  if (typeof assigned === 'string') return assigned;
  return response.headersSent ? newId() : assignRequestId(request, response);
}
