import { tokenError } from './token-errors.js';

/** A well-formed token request. */
export interface TokenRequest {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly scope: string | undefined;
  /** Whether the credentials came as HTTP Basic. */
  readonly basic: boolean;
}

const KEYS = ['grant_type', 'client_id', 'client_secret', 'scope'] as const;
type Key = (typeof KEYS)[number];

/**
 * Reads a token request in any of its three forms (contract section 2): form or JSON body, credentials in the body or
 * as HTTP Basic.
 * @throws 400 `invalid_request` or `unsupported_grant_type`, naming the parameter.
 */
export function parseTokenRequest(body: unknown, authorization: string | undefined): TokenRequest {
  const parameters = parseBody(body);
  const grant = parameters.get('grant_type');
  if (grant !== undefined && grant !== 'client_credentials') {
    throw tokenError(400, 'unsupported_grant_type', 'grant_type must be client_credentials', 'grant_type');
  }
  const scope = parameters.get('scope');
  const basic = parseBasic(authorization);
  if (basic !== undefined) {
    if (parameters.has('client_id') || parameters.has('client_secret')) {
      throw tokenError(400, 'invalid_request', 'Send credentials in the body or as HTTP Basic, not both');
    }
    return { ...basic, scope, basic: true };
  }
  return {
    clientId: required(parameters, 'client_id'),
    clientSecret: required(parameters, 'client_secret'),
    scope,
    basic: false,
  };
}

function parseBody(body: unknown): Map<Key, string> {
  if (body !== undefined && (typeof body !== 'object' || body === null || Array.isArray(body))) {
    throw tokenError(400, 'invalid_request', 'The body must be a form or a JSON object');
  }
  const parameters = new Map<Key, string>();
  for (const [name, value] of Object.entries(body ?? {})) {
    const key = KEYS.find((known) => known === name);
    if (key === undefined)
      throw tokenError(400, 'invalid_request', `Unknown parameter: ${shorten(name)}`, shorten(name));
    if (typeof value !== 'string') {
      throw tokenError(400, 'invalid_request', `${key} must be a string, sent once`, key);
    }
    parameters.set(key, value);
  }
  return parameters;
}

function required(parameters: Map<Key, string>, key: Key): string {
  const value = parameters.get(key);
  if (value === undefined || value === '')
    throw tokenError(400, 'invalid_request', `${key} is required`, key);
  return value;
}

/** RFC 6749 section 2.3.1: both halves are form-encoded before they are joined and base64-encoded. */
function parseBasic(
  authorization: string | undefined,
): { clientId: string; clientSecret: string } | undefined {
  if (authorization === undefined) return undefined;
  const encoded = /^Basic +([A-Za-z0-9+/=_-]+) *$/i.exec(authorization)?.[1];
  const pair = encoded === undefined ? '' : Buffer.from(encoded, 'base64').toString('utf8');
  const colon = pair.indexOf(':');
  const clientId = formDecode(pair.slice(0, Math.max(colon, 0)));
  const clientSecret = formDecode(pair.slice(colon + 1));
  if (colon < 0 || !clientId || !clientSecret) {
    throw tokenError(
      400,
      'invalid_request',
      'The Authorization header must be HTTP Basic with client_id:client_secret',
    );
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

function shorten(name: string): string {
  return name.length > 100 ? `${name.slice(0, 100)}…` : name;
}
