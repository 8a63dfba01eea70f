import type { EndpointConvention } from '../http/index.js';
import { describeTokenError } from './token-errors.js';

/** Where tokens are issued (clause 4.1), and what RFC 6749 asks of requests and errors there. */
export const TOKEN_ENDPOINT = {
  path: '/oauth2/token',
  mediaTypes: ['application/x-www-form-urlencoded'],
  describeError: describeTokenError,
} satisfies EndpointConvention;
