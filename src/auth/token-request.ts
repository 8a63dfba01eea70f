import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FieldError } from '../errors/domain-error.js';
import { Failures } from '../errors/errors.js';
import { collectQuery, headerValues, requestOf, type EndpointConvention } from '../http/index.js';
import { isPlainObject } from '../text/is-plain-object.js';
import { describeTokenError, tokenError } from './token-errors.js';

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

interface Credentials {
  readonly clientId: string;
  readonly clientSecret: string;
}

/** A well-formed token request. Its credentials are not checked yet. */
export interface TokenRequest extends Credentials {
  readonly scope: string | undefined;
  /** Whether the credentials came as HTTP Basic. */
  readonly basic: boolean;
}

const KEYS = ['grant_type', 'client_id', 'client_secret', 'scope'] as const;

/** What a body has: null for a parameter that has failed. One without a value counts as absent. */
type Parameters = Partial<Record<(typeof KEYS)[number], string | null>>;

const GRANT = 'client_credentials';

/**
 * Parameter decorator: a token request (contract section 2). The body is a form or JSON; the credentials are
 * in the body or in the Authorization header. An unknown parameter is ignored (RFC 6749 section 3.2). The
 * route takes no query parameters. Throws 400 `invalid_request` or `unsupported_grant_type`, naming all that
 * is wrong.
 */
export const TokenRequestOf = createParamDecorator((_: unknown, context: ExecutionContext): TokenRequest => {
  const request = requestOf(context);
  const failures = new Failures();
  const wrong: FieldError[] = [];
  const sent = readParameters(request.body, wrong);
  const authorization = headerValues(request, 'authorization');
  const basic = authorization.length === 0 ? undefined : readBasic(authorization, wrong);
  if (authorization.length === 0) {
    const missing = (['client_id', 'client_secret'] as const).filter((key) => sent[key] === undefined);
    wrong.push(...missing.map((key) => ({ field: key, message: `${key} is required` })));
  }
  const isOther = basic !== undefined && (sent.client_id ?? basic.clientId) !== basic.clientId;
  if (basic !== undefined && (isOther || sent.client_secret !== undefined))
    wrong.push({ message: 'Send credentials in the body or as HTTP Basic, not both' });
  const isOtherGrant = (sent.grant_type ?? GRANT) !== GRANT;
  if (isOtherGrant) failures.addAll([{ field: 'grant_type', message: `grant_type must be ${GRANT}` }]);
  collectQuery(request, {}, failures);
  failures.addAll(wrong);
  const error = failures.toError();
  if (error !== undefined)
    throw tokenError(isOtherGrant ? 'unsupported_grant_type' : 'invalid_request', error);
  const inBody = { clientId: sent.client_id ?? '', clientSecret: sent.client_secret ?? '' };
  return { ...(basic ?? inBody), scope: sent.scope ?? undefined, basic: basic !== undefined };
});

function readParameters(body: unknown, wrong: FieldError[]): Parameters {
  if (body === undefined) return {};
  if (!isPlainObject(body)) {
    wrong.push({ message: 'The body must be a form or a JSON object' });
    return { client_id: null, client_secret: null };
  }
  const parameters: Parameters = {};
  for (const key of KEYS) {
    const value = Object.hasOwn(body, key) ? body[key] : '';
    if (value === '') continue;
    const isText = typeof value === 'string';
    if (!isText) wrong.push({ field: key, message: `${key} must be a string, sent once` });
    parameters[key] = isText ? value : null;
  }
  return parameters;
}

/**
 * Reads HTTP Basic. RFC 6749 section 2.3.1: id and secret are form-encoded, joined, then base64-encoded.
 * @returns undefined where something is wrong
 */
function readBasic(
  [authorization = '', ...more]: readonly string[],
  wrong: FieldError[],
): Credentials | undefined {
  const encoded = /^Basic +([A-Za-z0-9+/=_-]+) *$/i.exec(authorization)?.[1] ?? '';
  const pair = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = pair.indexOf(':');
  const clientId = formDecode(pair.slice(0, Math.max(colon, 0)));
  const clientSecret = formDecode(pair.slice(colon + 1));
  if (more.length === 0 && colon >= 0 && clientId && clientSecret) return { clientId, clientSecret };
  const problem = more.length > 0 ? 'sent once' : 'HTTP Basic with client_id:client_secret';
  wrong.push({ message: `The Authorization header must be ${problem}` });
  return undefined;
}

function formDecode(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}
