/** The words of errors (contract section 1), each with its usual status. */
const STATUSES = {
  invalid_request: 400,
  invalid_fields: 400,
  unauthorized: 401,
  insufficient_scope: 403,
  not_found: 404,
  method_not_allowed: 405,
  duplicate: 409,
  archived: 409,
  not_archived: 409,
  conflict: 409,
  precondition_failed: 412,
  idempotency_key_reused: 422,
  idempotency_in_progress: 409,
  too_large: 413,
  unsupported_media_type: 415,
  rate_limited: 429,
  unavailable: 503,
  outcome_unknown: 503,
  internal: 500,
} as const;

/** The words of RFC 6749 section 5.2 that the token endpoint uses. */
const TOKEN_STATUSES = {
  invalid_client: 401,
  invalid_request: 400,
  unsupported_grant_type: 400,
  invalid_scope: 400,
} as const;

/** The stable word of an error. The list is closed: clients decide by it. */
export type ErrorCode = keyof typeof STATUSES;

/** The stable word of an error of the token endpoint. */
export type TokenErrorCode = keyof typeof TOKEN_STATUSES;

export const ERROR_CODES = Object.keys(STATUSES) as readonly ErrorCode[];
export const TOKEN_ERROR_CODES = Object.keys(TOKEN_STATUSES) as readonly TokenErrorCode[];

const ALL: Readonly<Record<ErrorCode | TokenErrorCode, number>> = { ...TOKEN_STATUSES, ...STATUSES };

/** Returns the usual status of the errors with a word. */
export function statusOf(code: ErrorCode | TokenErrorCode): number {
  return ALL[code];
}

/** The words of statuses that several words have, or that no word of the list has as its own. */
const BY_STATUS: Readonly<Record<number, ErrorCode>> = {
  400: 'invalid_request',
  409: 'conflict',
  422: 'invalid_request',
  423: 'conflict',
  431: 'too_large',
  502: 'unavailable',
  503: 'unavailable',
  504: 'unavailable',
};

/** Returns the word for an error of which only the status is known, such as one of a host application. */
export function codeOfStatus(status: number): ErrorCode {
  const own = ERROR_CODES.find((code) => STATUSES[code] === status);
  return BY_STATUS[status] ?? own ?? (status < 500 ? 'invalid_request' : 'internal');
}
