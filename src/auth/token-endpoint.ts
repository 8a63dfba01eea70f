import type { EndpointConvention } from '../http/index.js';
import { describeTokenError } from './token-errors.js';

/** The path of the token endpoint (clause 4.1), with the media type and the form of errors of RFC 6749. */
export const TOKEN_ENDPOINT = {
  path: '/oauth2/token',
  mediaTypes: ['application/x-www-form-urlencoded'],
  // Nobody is authenticated yet, and a token request is short.
  bodyLimit: 8 * 1024,
  compressed: false,
  describeError: describeTokenError,
} satisfies EndpointConvention;

/** The `typ` header of an access token (RFC 9068 section 2.1). */
export const TOKEN_TYPE = 'at+jwt';
