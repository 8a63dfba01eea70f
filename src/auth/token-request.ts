import type { FieldError } from '../errors/domain-error.js';
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
type Key = (typeof KEYS)[number];

const GRANT = 'client_credentials';

/**
 * Parses a token request (contract section 2). The body is a form or JSON; the credentials are in the body or
 * in the Authorization header. A parameter without a value counts as absent, and an unknown one is ignored
 * (RFC 6749 section 3.2).
 * @param body the parsed body; undefined without one
 * @param authorization the raw values of all Authorization headers
 * @throws 400 `invalid_request` or `unsupported_grant_type`, naming every failing parameter
 */
export function parseTokenRequest(body: unknown, authorization: readonly string[]): TokenRequest {
  const errors: FieldError[] = [];
  const parameters = readParameters(body, errors);
  const basic = parseBasic(authorization);
  if (basic === undefined) {
    for (const key of ['client_id', 'client_secret'] as const) {
      const failed = errors.some(({ field }) => field === key);
      if (!failed && !parameters.has(key)) errors.push({ field: key, message: `${key} is required` });
    }
  } else if (
    parameters.has('client_secret') ||
    (parameters.get('client_id') ?? basic.clientId) !== basic.clientId
  ) {
    errors.push({ message: 'Send credentials in the body or as HTTP Basic, not both' });
  }
  if ((parameters.get('grant_type') ?? GRANT) !== GRANT) {
    const wrongGrant = { field: 'grant_type', message: `grant_type must be ${GRANT}` };
    throw tokenError('unsupported_grant_type', [wrongGrant, ...errors]);
  }
  if (errors.length > 0) throw tokenError('invalid_request', errors);
  const inBody = {
    clientId: parameters.get('client_id') ?? '',
    clientSecret: parameters.get('client_secret') ?? '',
  };
  return { ...(basic ?? inBody), scope: parameters.get('scope'), basic: basic !== undefined };
}

function readParameters(body: unknown, errors: FieldError[]): Map<Key, string> {
  if (body !== undefined && !isPlainObject(body)) {
    throw tokenError('invalid_request', [{ message: 'The body must be a form or a JSON object' }]);
  }
  const parameters = new Map<Key, string>();
  for (const key of KEYS) {
    const value = body !== undefined && Object.hasOwn(body, key) ? body[key] : '';
    if (typeof value !== 'string') errors.push({ field: key, message: `${key} must be a string, sent once` });
    else if (value !== '') parameters.set(key, value);
  }
  return parameters;
}

/** Parses HTTP Basic. RFC 6749 section 2.3.1: id and secret are form-encoded, joined, then base64-encoded. */
function parseBasic([authorization, ...more]: readonly string[]): Credentials | undefined {
  if (authorization === undefined) return undefined;
  if (more.length > 0) {
    throw tokenError('invalid_request', [{ message: 'The Authorization header must be sent once' }]);
  }
  const encoded = /^Basic +([A-Za-z0-9+/=_-]+) *$/i.exec(authorization)?.[1];
  const pair = encoded === undefined ? '' : Buffer.from(encoded, 'base64').toString('utf8');
  const colon = pair.indexOf(':');
  const clientId = formDecode(pair.slice(0, Math.max(colon, 0)));
  const clientSecret = formDecode(pair.slice(colon + 1));
  if (colon < 0 || !clientId || !clientSecret) {
    throw tokenError('invalid_request', [
      { message: 'The Authorization header must be HTTP Basic with client_id:client_secret' },
    ]);
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
