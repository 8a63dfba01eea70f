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

/** One failure in a request or in a configuration file. `field` is absent where no single field caused it. */
export interface FieldError {
  readonly field?: string;
  /** Number of the line of the file, from 1. */
  readonly line?: number;
  /** Number of the character in the line, from 1. */
  readonly column?: number;
  /** Of a batch: number of the input, from 0. */
  readonly index?: number;
  readonly message: string;
  /** Of a duplicate: the id of the active record that has the key. */
  readonly existing_id?: string;
}

/** What an answer contains besides the code and message of an error. */
export interface ErrorDetails {
  /** Where it is not the usual one of the code. */
  readonly status?: number;
  /** The one field that caused the error: the colliding key of a 409, the only failing field of a 400. */
  readonly field?: string;
  /** Of a duplicate: the id of the active record that has the key in `field`. */
  readonly existingId?: string;
  /** Every failure in the request, up to a bound. */
  readonly errors?: readonly FieldError[];
  /** How many more failures the request has than `errors` lists. */
  readonly omitted?: number;
  /** Further top-level keys of the error body, such as `error_code` of the token endpoint. Any JSON. */
  readonly extra?: Readonly<Record<string, unknown>>;
  /** Response headers of the error, such as `WWW-Authenticate`. */
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * An error that the caller may see: code, message and details become the error object of clause 2.9. Services
 * throw it. The error filter answers 500 or 503, without details, to any other error of this service.
 */
export class DomainError extends Error {
  readonly status: number;

  /** @param code the stable word by which clients decide; it has a usual status */
  constructor(
    readonly code: ErrorCode | TokenErrorCode,
    message: string,
    readonly details: ErrorDetails = {},
  ) {
    super(message);
    this.name = 'DomainError';
    this.status = details.status ?? statusOf(code);
  }
}
