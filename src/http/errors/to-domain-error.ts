import { HttpException } from '@nestjs/common';
import { codeOfStatus, DomainError } from '../../errors/domain-error.js';
import { invalid, notFound } from '../../errors/errors.js';
import { isNoRoute, requestError, unwrapped, type RequestError } from '../express-internals.js';
import { unavailableAnswer } from '../../errors/error-object.js';

/**
 * Turns any error into what the caller may see of it. Undefined means an internal error, of which the caller
 * sees only the id of the request.
 */
export function toDomainError(cause: unknown): DomainError | undefined {
  const error = unwrapped(cause);
  if (error instanceof DomainError) return error;
  const unavailable = unavailableAnswer(error);
  if (unavailable !== undefined) return unavailable;
  if (isNoRoute(error)) return notFound('Not found');
  if (error instanceof HttpException) return fromHttpException(error);
  const refused = requestError(error);
  return refused === undefined ? undefined : fromRequestError(refused);
}

/** Keeps status and message. A list of messages, such as that of Nest's ValidationPipe, becomes `errors`. */
function fromHttpException(error: HttpException): DomainError {
  const response = error.getResponse();
  const listed = typeof response === 'object' ? (response as { message?: unknown }).message : undefined;
  const messages = Array.isArray(listed) ? listed.filter((each) => typeof each === 'string') : [];
  const status = error.getStatus();
  const code = codeOfStatus(status);
  if (messages.length === 0) return new DomainError(code, error.message, { status });
  const { message, details } = invalid(messages.map((each) => ({ message: each })));
  return new DomainError(code, message, { ...details, status });
}

function fromRequestError({ status, type, limit }: RequestError): DomainError {
  switch (type) {
    case 'entity.parse.failed':
      return invalid([{ message: 'The body is not valid JSON' }]);
    case 'entity.too.large':
      return new DomainError('too_large', `The body is larger than ${limit ?? 0} bytes`);
    case 'charset.unsupported':
    case 'encoding.unsupported':
      return new DomainError(
        'unsupported_media_type',
        'The body must be UTF-8, plain or compressed with gzip, deflate or br',
      );
    default:
      return new DomainError(codeOfStatus(status), 'The request could not be read', { status });
  }
}
