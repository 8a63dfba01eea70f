import { DomainError } from '../../errors/domain-error.js';
import { PAGE_BYTES } from '../../paging/index.js';
import type { Ended } from '../many/ended.js';

/** 413 of a batch that would be answered with too many bytes. */
export function answerTooLarge(): DomainError {
  const message = 'The answer would have more than 10 MiB: send fewer inputs, or ask for fewer properties';
  return new DomainError('too_large', message);
}

/** Counts the bytes of the records of an answer. */
export class AnswerSize {
  private bytes = 0;

  /** @throws DomainError 413 where the records have more bytes as JSON than an answer may */
  readonly add = (ended: Ended<object>): void => {
    if ('record' in ended) this.bytes += Buffer.byteLength(JSON.stringify(ended.record));
    if (this.bytes > PAGE_BYTES) throw answerTooLarge();
  };
}
