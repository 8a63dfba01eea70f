/** One failing field of a request, or of a configuration file. `field` is left out where no single field is to blame. */
export interface FieldError {
  readonly field?: string;
  readonly message: string;
}

/** What an error answers besides its status and message. */
export interface ErrorDetails {
  /** The one field to blame: the colliding key of a 409, the only failing field of a 400. */
  readonly field?: string;
  /** Every failing field of the request. */
  readonly errors?: readonly FieldError[];
  /** Further top-level keys of the error body, such as `error_code` of the token endpoint. */
  readonly extra?: Readonly<Record<string, string>>;
  /** Response headers that belong to the error, such as `WWW-Authenticate`. */
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * An error that is the caller's to see: its message, status and field become the error object of clause 2.9.
 * Services throw it; anything else that reaches the error filter is answered with a bare 500 or 503.
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
