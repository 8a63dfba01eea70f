import { DomainError } from '../../errors/domain-error.js';
import { PAGE_BYTES } from '../../paging/index.js';

/** 413 of a batch that would be answered with too many bytes. */
export function answerTooLarge(): DomainError {
  const message = 'The answer would have more than 10 MiB: send fewer inputs, or ask for fewer properties';
  return new DomainError('too_large', message);
}

/** Counts the bytes of the records and the errors of an answer. */
export class AnswerSize {
  private bytes = 0;

  /** @throws DomainError 413 where the answer would have too many bytes */
  add(part: object): void {
    this.bytes += Buffer.byteLength(JSON.stringify(part));
    if (this.bytes > PAGE_BYTES) throw answerTooLarge();
  }
}
