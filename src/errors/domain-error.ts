/** One failure in a request or in a configuration file. `field` is absent where no single field caused it. */
export interface FieldError {
  readonly field?: string;
  /** Number of the line of the file, from 1. */
  readonly line?: number;
  readonly message: string;
}

/** What an answer contains besides the status and message of an error. */
export interface ErrorDetails {
  /** The one field that caused the error: the colliding key of a 409, the only failing field of a 400. */
  readonly field?: string;
  /** Every failure in the request, up to a bound. */
  readonly errors?: readonly FieldError[];
  /** How many more failures the request has than `errors` lists. */
  readonly omitted?: number;
  /** Further top-level keys of the error body, such as `error_code` of the token endpoint. */
  readonly extra?: Readonly<Record<string, string>>;
  /** Response headers of the error, such as `WWW-Authenticate`. */
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * An error that the caller may see: status, message and details become the error object of clause 2.9.
 * Services throw it. The error filter answers 500 or 503, without details, to any other error of this
 * service.
 */
export class DomainError extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly details: ErrorDetails = {},
  ) {
    super(message);
    this.name = 'DomainError';
  }
}
