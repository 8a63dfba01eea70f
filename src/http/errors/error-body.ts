import { DomainError, codeOfStatus } from '../../errors/domain-error.js';
import { errorObject, type ErrorObject, unavailableAnswer } from '../../errors/error-object.js';
import { HttpException } from '@nestjs/common';
import { invalid } from '../../errors/errors.js';

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

/**
 * Turns any error into what the caller may see of it. Undefined means an internal error, of which the caller
 * sees only the id of the request.
 */
export function toDomainError(error: unknown): DomainError | undefined {
  if (error instanceof DomainError) return error;
  const unavailable = unavailableAnswer(error);
  if (unavailable !== undefined) return unavailable;
  return error instanceof HttpException ? fromHttpException(error) : undefined;
}

/**
 * Keeps status and message, also of what a parser of bodies says that a host has. A list of messages, such as
 * that of Nest's ValidationPipe, becomes `errors`.
 */
function fromHttpException(error: HttpException): DomainError {
  const response = error.getResponse();
  const listed = typeof response === 'object' ? (response as { message?: unknown }).message : undefined;
  const status = error.getStatus();
  // What Nest makes of an error of a parser has that as its cause.
  const alone = status === 400 && error.cause !== undefined ? [error.message] : [];
  const messages = Array.isArray(listed) ? listed.filter((each) => typeof each === 'string') : alone;
  const code = codeOfStatus(status);
  if (messages.length === 0) return new DomainError(code, error.message, { status });
  const { message, details } = invalid(messages.map((each) => ({ message: each })));
  return new DomainError(code, message, { ...details, status });
}
