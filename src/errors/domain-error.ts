import { statusOf, type ErrorCode, type TokenErrorCode } from './error-codes.js';

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
