import type { IncomingMessage } from 'node:http';
import { DomainError } from '../../errors/domain-error.js';
import { GrowingBytes } from './growing-bytes.js';

/**
 * Receives all bytes of a request's body as they are sent. The request is paused where it fails.
 * @param limit most bytes
 * @throws DomainError 413 beyond the limit, at once where the declared length says so; 400 when the client
 *   stops sending, or sends another number of bytes than it has declared
 * @throws Error when something else has read the body, or decodes it as text
 */
export function receiveBytes(request: IncomingMessage, limit: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const declared = declaredLength(request);
    const received = new GrowingBytes(Math.min(declared ?? limit, limit));

    const settle = (settled: () => void): void => {
      request.off('data', add).off('end', finish).off('error', fail).off('close', fail);
      settled();
    };
    const refuse = (error: Error): void =>
      settle(() => {
        request.pause();
        reject(error);
      });
    const fail = (): void => refuse(unreadable());
    const add = (piece: Buffer): void => {
      const length = received.length + piece.length;
      if (length > limit) refuse(tooLarge(limit));
      else if (declared !== undefined && length > declared) fail();
      else received.add(piece);
    };
    const finish = (): void => {
      if (declared !== undefined && received.length !== declared) fail();
      else settle(() => resolve(received.bytes()));
    };

    if (declared !== undefined && declared > limit) refuse(tooLarge(limit));
    else if (request.readableAborted) fail();
    else if (!request.readable || request.readableEncoding !== null) {
      refuse(new Error('Something else has read the body of the request'));
    } else request.on('data', add).on('end', finish).on('error', fail).on('close', fail);
  });
}

/** Node.js refuses a length that is no number of bytes. */
function declaredLength({ headers }: IncomingMessage): number | undefined {
  const length = headers['content-length'];
  return length === undefined ? undefined : Number(length);
}

function tooLarge(limit: number): DomainError {
  return new DomainError('too_large', `The body is larger than ${limit} bytes`);
}

function unreadable(): DomainError {
  return new DomainError('invalid_request', 'The request could not be read');
}
