import { HttpException } from '@nestjs/common';
import { codeOfStatus, DomainError } from '../../errors/domain-error.js';
import { invalid } from '../../errors/errors.js';
import { unavailableAnswer } from '../../errors/error-object.js';

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
