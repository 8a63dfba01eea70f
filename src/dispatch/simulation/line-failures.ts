import { DomainError, type FieldError } from '../../errors/domain-error.js';
import { MAX_ERRORS } from '../../errors/errors.js';

/** What is wrong with a line, and the sentence that says so by itself. */
interface LineFailure {
  readonly error: FieldError & { readonly line: number };
  readonly sentence: string;
}

/** Collects what is wrong with the lines of a file of records: as many as an error lists, and a count. */
export class LineFailures {
  private kept: LineFailure[] = [];
  private total = 0;
  private inFields = false;

  /** Adds a line that is no record. @param sentence such as `Line 2 is not JSON` */
  addUnread(line: number, sentence: string): void {
    this.add({ error: { line, message: sentence }, sentence });
  }

  /** Adds a record whose fields fail. */
  addFields(line: number, { message, details: { errors = [{ message }], omitted = 0 } }: DomainError): void {
    this.inFields = true;
    this.total += omitted;
    for (const error of errors)
      this.add({ error: { ...error, line }, sentence: `Line ${line}: ${error.message}` });
  }

  /** Adds what another collection has. @returns this */
  take(others: LineFailures): this {
    this.kept = [...this.kept, ...others.kept].sort((a, b) => a.error.line - b.error.line);
    this.total += others.total;
    this.inFields ||= others.inFields;
    return this;
  }

  /** @throws DomainError 400 whose message has a line for each failure, in the order of the file */
  throwIfAny(): void {
    const listed = this.kept.slice(0, MAX_ERRORS);
    const [first] = listed;
    if (first === undefined) return;
    const omitted = this.total - listed.length;
    const sentences = listed.map(({ sentence }) => sentence);
    const message = [...sentences, ...(omitted > 0 ? [`(and ${omitted} more)`] : [])].join('\n');
    const { field } = first.error;
    throw new DomainError(this.inFields ? 'invalid_fields' : 'invalid_request', message, {
      ...(this.total === 1 && field !== undefined && { field }),
      errors: listed.map(({ error }) => error),
      ...(omitted > 0 && { omitted }),
    });
  }

  private add(failure: LineFailure): void {
    this.total++;
    if (this.kept.length < MAX_ERRORS) this.kept.push(failure);
  }
}
