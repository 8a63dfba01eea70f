/**
 * One failing field of a request or of a configuration file. `field` is left out when no single field is the
 * cause.
 */
export interface FieldError {
  readonly field?: string;
  readonly message: string;
}

/** The parts of an error besides its status and message. */
export interface ErrorDetails {
  /** The one field that caused the error: the colliding key of a 409, the only failing field of a 400. */
  readonly field?: string;
  /** Every failing field of the request. */
  readonly errors?: readonly FieldError[];
  /** Further top-level keys of the error body, such as `error_code` of the token endpoint. */
  readonly extra?: Readonly<Record<string, string>>;
  /** Response headers of the error, such as `WWW-Authenticate`. */
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * An error that the client may see. Its message, status and field become the error object of clause 2.9.
 * Services throw it. The error filter answers any other error with a 500 or 503 without details.
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
