import type { DomainError, FieldError } from './domain-error.js';
import { invalid, MAX_ERRORS } from './errors.js';

/**
 * Collects the failures of one request. It keeps as many as an error lists and counts the rest, so that a
 * request with very many costs no more than one with a few.
 */
export class Failures {
  private readonly kept: FieldError[] = [];
  private total = 0;

  /** @param describe called only for a failure that is kept */
  add(describe: () => FieldError): void {
    this.total++;
    if (this.kept.length < MAX_ERRORS) this.kept.push(describe());
  }

  /** The failures as a 400; undefined when there are none. */
  toError(): DomainError | undefined {
    return this.total === 0 ? undefined : invalid(this.kept, this.total - this.kept.length);
  }
}
