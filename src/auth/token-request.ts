import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FieldError } from '../errors/domain-error.js';
import { Failures } from '../errors/errors.js';
import { collectQuery, headerValues, requestOf } from '../http/index.js';
import { isPlainObject } from '../text/is-plain-object.js';
import { tokenError } from './token-errors.js';

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
  const parameters = readParameters(request.body, wrong);
  const basic = parseBasic(headerValues(request, 'authorization'), wrong);
  wrong.push(...wrongCredentials(parameters, basic));
  const isOtherGrant = (parameters.grant_type ?? GRANT) !== GRANT;
  if (isOtherGrant) failures.addAll([{ field: 'grant_type', message: `grant_type must be ${GRANT}` }]);
  collectQuery(request, {}, failures);
  failures.addAll(wrong);
  const error = failures.toError();
  if (error !== undefined)
    throw tokenError(isOtherGrant ? 'unsupported_grant_type' : 'invalid_request', error);
  const { client_id: clientId, client_secret: clientSecret, scope } = parameters;
  const isBasic = typeof basic === 'object';
  const inBody = { clientId: clientId ?? '', clientSecret: clientSecret ?? '' };
  return { ...(isBasic ? basic : inBody), scope: scope ?? undefined, basic: isBasic };
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

/** Says which credentials are missing, or that they are in both places. */
function wrongCredentials(parameters: Parameters, basic: ReturnType<typeof parseBasic>): FieldError[] {
  if (basic === 'none')
    return (['client_id', 'client_secret'] as const)
      .filter((key) => parameters[key] === undefined)
      .map((key) => ({ field: key, message: `${key} is required` }));
  if (basic === 'failed') return [];
  const hasOther =
    parameters.client_secret !== undefined || (parameters.client_id ?? basic.clientId) !== basic.clientId;
  return hasOther ? [{ message: 'Send credentials in the body or as HTTP Basic, not both' }] : [];
}

/** Parses HTTP Basic. RFC 6749 section 2.3.1: id and secret are form-encoded, joined, then base64-encoded. */
function parseBasic(
  [authorization, ...more]: readonly string[],
  wrong: FieldError[],
): Credentials | 'none' | 'failed' {
  if (authorization === undefined) return 'none';
  const refuse = (message: string): 'failed' => {
    wrong.push({ message });
    return 'failed';
  };
  if (more.length > 0) return refuse('The Authorization header must be sent once');
  const encoded = /^Basic +([A-Za-z0-9+/=_-]+) *$/i.exec(authorization)?.[1];
  const pair = encoded === undefined ? '' : Buffer.from(encoded, 'base64').toString('utf8');
  const colon = pair.indexOf(':');
  const clientId = formDecode(pair.slice(0, Math.max(colon, 0)));
  const clientSecret = formDecode(pair.slice(colon + 1));
  if (colon < 0 || !clientId || !clientSecret) {
    return refuse('The Authorization header must be HTTP Basic with client_id:client_secret');
  }
  return { clientId, clientSecret };
}

function formDecode(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}
