import { BadRequestException, HttpException, NotFoundException } from '@nestjs/common';
import { isUnavailable } from '../../database/index.js';
import { DomainError } from '../../errors/domain-error.js';
import { invalid, notFound, unavailable } from '../../errors/errors.js';

/** Errors of body-parser and Express that are the client's doing: `status` below 500 and a word in `type`. */
interface RequestError extends Error {
  readonly status: number;
  readonly type?: string;
  readonly limit?: number;
}

function isRequestError(error: unknown): error is RequestError {
  const status = (error as { status?: unknown } | null)?.status;
  return error instanceof Error && typeof status === 'number' && status >= 400 && status < 500;
}

/**
 * What the caller may know of any error. Undefined means an internal error: nothing of it leaves the process but
 * its request id.
 */
export function toDomainError(error: unknown): DomainError | undefined {
  if (error instanceof DomainError) return error;
  if (isUnavailable(error)) return unavailable('The database is unavailable, try again shortly');
  if (error instanceof NotFoundException || isUndecodablePath(error)) return notFound('Not found');
  if (error instanceof HttpException) return new DomainError(error.getStatus(), error.message);
  return isRequestError(error) ? fromRequestError(error) : undefined;
}

/** A path such as /contacts/%E0 names nothing. Nest turns Express's URIError into this. */
function isUndecodablePath(error: unknown): boolean {
  return error instanceof BadRequestException && error.message.startsWith('Failed to decode param');
}

function fromRequestError(error: RequestError): DomainError {
  switch (error.type) {
    case 'entity.parse.failed':
      return invalid([{ message: 'The body is not valid JSON' }]);
    case 'entity.too.large':
      return new DomainError(413, `The body is larger than ${error.limit ?? 0} bytes`);
    case 'charset.unsupported':
    case 'encoding.unsupported':
      return new DomainError(415, 'The body must be UTF-8, plain or compressed with gzip, deflate or br');
    default:
      return new DomainError(error.status, 'The request could not be read');
  }
}
