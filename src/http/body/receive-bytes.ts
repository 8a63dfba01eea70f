import type { IncomingMessage } from 'node:http';
import { DomainError } from '../../errors/domain-error.js';

/**
 * Receives all bytes of a request's body as they are sent, in one buffer of the declared length, or of the
 * limit: a buffer for each piece takes 400 times the memory of pieces of one byte. The request is paused
 * where it fails.
 * @param limit most bytes
 * @throws DomainError 413 beyond the limit, at once where the declared length says so; 400 when the client
 *   stops sending, or sends another number of bytes than it has declared
 * @throws Error when something else has read the body, or decodes it as text
 */
export function receiveBytes(request: IncomingMessage, limit: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    // Node.js refuses a length that is no number of bytes.
    const { 'content-length': declared } = request.headers;
    const most = Math.min(limit, Number(declared ?? limit));
    const bytes = Buffer.allocUnsafe(most);
    let received = 0;

    const settle = (settled: () => void): void => {
      request.off('data', add).off('end', finish).off('error', fail).off('close', fail);
      settled();
    };
    const refuse = (error: Error): void =>
      settle(() => {
        request.pause();
        reject(error);
      });
    const tooLarge = (): void =>
      refuse(new DomainError('too_large', `The body is larger than ${limit} bytes`));
    const fail = (): void => refuse(new DomainError('invalid_request', 'The request could not be read'));
    const add = (piece: Buffer): void => {
      if (received + piece.length > limit) tooLarge();
      else if (received + piece.length > most) fail();
      else received += piece.copy(bytes, received);
    };
    const finish = (): void => {
      if (declared !== undefined && received < most) fail();
      else settle(() => resolve(bytes.subarray(0, received)));
    };

    if (Number(declared) > limit) tooLarge();
    else if (request.readableAborted) fail();
    else if (!request.readable || request.readableEncoding !== null) {
      refuse(new Error('Something else has read the body of the request'));
    } else request.on('data', add).on('end', finish).on('error', fail).on('close', fail);
  });
}
