import type { DomainError } from '../../errors/domain-error.js';
import type { FieldError } from '../../errors/domain-error.js';

/** The error object of clause 2.9 with the additions of contract section 1. */
export interface ErrorBody {
  readonly message: string;
  readonly error: true;
  readonly field?: string;
  readonly errors?: readonly FieldError[];
  /** How many more failures there are than `errors` lists. */
  readonly errors_omitted?: number;
  readonly request_id: string;
}

/** Builds the error object of a domain error. */
export function errorBody(error: DomainError, requestId: string): ErrorBody {
  const { field, errors, omitted, extra } = error.details;
  return {
    message: error.message,
    error: true,
    ...(field === undefined ? {} : { field }),
    ...(errors === undefined ? {} : { errors }),
    ...(omitted === undefined ? {} : { errors_omitted: omitted }),
    ...extra,
    request_id: requestId,
  };
}
