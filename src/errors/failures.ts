import type { DomainError, FieldError } from './domain-error.js';
import { invalid, MAX_ERRORS } from './errors.js';

/**
 * Collects the failures of one request, wherever they are found, so that one answer lists all of them. It
 * keeps as many as an error lists and counts the rest, so that a request with very many costs no more than
 * one with a few.
 */
export class Failures {
  private readonly kept: FieldError[] = [];
  private total = 0;
  private inFields = false;

  get any(): boolean {
    return this.total > 0;
  }

  /** Whether something is wrong with a key of the body, or with what it has. True where that is not known. */
  mentions(key: string): boolean {
    const isOfKey = ({ field = '' }: FieldError): boolean => field.split(/[.[]/, 1)[0] === key;
    return this.total > this.kept.length || this.kept.some(isOfKey);
  }

  /** Adds a failure of a parameter or of a key of the body. @param describe called if it is kept */
  add(describe: () => FieldError): void {
    this.total++;
    if (this.kept.length < MAX_ERRORS) this.kept.push(describe());
  }

  /** Adds failures of parameters or of keys of the body. */
  addAll(errors: readonly FieldError[]): void {
    for (const error of errors) this.add(() => error);
  }

  /** Adds failures of the values of a record. The error then has the code `invalid_fields`. */
  addFields(errors: readonly FieldError[]): void {
    this.inFields ||= errors.length > 0;
    this.addAll(errors);
  }

  /** Adds the failures that another collection has. @returns this */
  take(others: Failures): this {
    this.addAll(others.kept);
    this.total += others.total - others.kept.length;
    this.inFields ||= others.inFields;
    return this;
  }

  /** The failures as a 400; undefined when there are none. */
  toError(): DomainError | undefined {
    if (this.total === 0) return undefined;
    const code = this.inFields ? 'invalid_fields' : 'invalid_request';
    return invalid(this.kept, { omitted: this.total - this.kept.length, code });
  }

  /** @throws DomainError 400 when there are failures */
  throwIfAny(): void {
    const error = this.toError();
    if (error !== undefined) throw error;
  }
}
