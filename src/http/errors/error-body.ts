import type { DomainError } from '../../errors/domain-error.js';
import { errorObject, type ErrorObject } from '../../errors/error-object.js';

/** The body of every error answer. */
export type ErrorBody = ErrorObject & { readonly request_id: string };

/** Builds the body of an error answer. */
export function errorBody(error: DomainError, requestId: string): ErrorBody {
  return { ...errorObject(error), request_id: requestId };
}

/**
 * Returns the answer of a batch. What is refused is what a request of its own would have been answered, so it
 * has the id of the request, as every error has.
 * @param results an entry for each part of the batch, in the same order
 */
export function batchAnswer<Entry extends object>(
  results: readonly Entry[],
  request_id: string,
): { results: Entry[] } {
  return { results: results.map((each) => ('error' in each ? { ...each, request_id } : each)) };
}

/** The answer of an earlier request is an error, and is given again as it was. */
export class RepeatedAnswerError extends Error {
  /** @param body as the error filter sends it */
  constructor(
    readonly status: number,
    readonly body: object,
  ) {
    super(`The first request was answered ${status}`);
  }
}
