import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
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
type Key = (typeof KEYS)[number];

const GRANT = 'client_credentials';

/**
 * Parses a token request (contract section 2). The body is a form or JSON; the credentials are in the body or
 * in the Authorization header. A parameter without a value counts as absent, and an unknown one is ignored
 * (RFC 6749 section 3.2).
 * @param body the parsed body; undefined without one
 * @param authorization the raw values of all Authorization headers
 * @param found what is wrong with the request already
 * @throws 400 `invalid_request` or `unsupported_grant_type`, naming all that is wrong
 */
function parseTokenRequest(body: unknown, authorization: readonly string[], found: Failures): TokenRequest {
  const failures = new Failures();
  const parameters = readParameters(body, failures);
  const basic = parseBasic(authorization, failures);
  if (basic === 'none') {
    for (const key of ['client_id', 'client_secret'] as const) {
      if (!parameters.has(key)) failures.add(() => ({ field: key, message: `${key} is required` }));
    }
  } else if (basic !== 'failed' && hasOtherCredentials(parameters, basic)) {
    failures.add(() => ({ message: 'Send credentials in the body or as HTTP Basic, not both' }));
  }
  if ((parameters.get('grant_type') ?? GRANT) !== GRANT) {
    const wrong = new Failures();
    wrong.add(() => ({ field: 'grant_type', message: `grant_type must be ${GRANT}` }));
    throw tokenError('unsupported_grant_type', wrong.take(found).take(failures));
  }
  const all = new Failures().take(found).take(failures);
  if (all.any) throw tokenError('invalid_request', all);
  const inBody = {
    clientId: parameters.get('client_id') ?? '',
    clientSecret: parameters.get('client_secret') ?? '',
  };
  const isBasic = typeof basic === 'object';
  return { ...(isBasic ? basic : inBody), scope: parameters.get('scope') ?? undefined, basic: isBasic };
}

/** Reads the parameters of the body. Null stands for one that has failed. */
function readParameters(body: unknown, failures: Failures): Map<Key, string | null> {
  const parameters = new Map<Key, string | null>();
  if (body !== undefined && !isPlainObject(body)) {
    failures.add(() => ({ message: 'The body must be a form or a JSON object' }));
    return new Map([
      ['client_id', null],
      ['client_secret', null],
    ]);
  }
  for (const key of KEYS) {
    const value = body !== undefined && Object.hasOwn(body, key) ? body[key] : '';
    if (typeof value === 'string') {
      if (value !== '') parameters.set(key, value);
      continue;
    }
    failures.add(() => ({ field: key, message: `${key} must be a string, sent once` }));
    parameters.set(key, null);
  }
  return parameters;
}

function hasOtherCredentials(parameters: ReadonlyMap<Key, string | null>, basic: Credentials): boolean {
  return (
    parameters.has('client_secret') || (parameters.get('client_id') ?? basic.clientId) !== basic.clientId
  );
}

/** Parses HTTP Basic. RFC 6749 section 2.3.1: id and secret are form-encoded, joined, then base64-encoded. */
function parseBasic(
  [authorization, ...more]: readonly string[],
  failures: Failures,
): Credentials | 'none' | 'failed' {
  if (authorization === undefined) return 'none';
  const refuse = (message: string): 'failed' => {
    failures.add(() => ({ message }));
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

/**
 * Parameter decorator: the token request, see `parseTokenRequest`. The route takes no query parameters.
 * Throws 400 naming every failing parameter.
 */
export const TokenRequestOf = createParamDecorator((_: unknown, context: ExecutionContext): TokenRequest => {
  const request = requestOf(context);
  const failures = new Failures();
  collectQuery(request, {}, failures);
  return parseTokenRequest(request.body, headerValues(request, 'authorization'), failures);
});
