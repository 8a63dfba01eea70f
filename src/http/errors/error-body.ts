import type { DomainError } from '../../errors/domain-error.js';
import { errorObject, type ErrorObject } from '../../errors/error-object.js';

/** The body of every error answer. */
export type ErrorBody = ErrorObject & { readonly request_id: string };

/** Builds the body of an error answer. */
export function errorBody(error: DomainError, requestId: string): ErrorBody {
  return { ...errorObject(error), request_id: requestId };
}
