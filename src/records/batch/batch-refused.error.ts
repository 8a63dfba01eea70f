import { DomainError, type FieldError } from '../../errors/domain-error.js';
import { MAX_ERRORS } from '../../errors/errors.js';

/** An input of a batch that was refused. */
export interface RefusedInput {
  readonly index: number;
  readonly error: DomainError;
}

/**
 * A batch that is all or nothing, and some of whose inputs were refused: the status and the word of the first
 * one, and what is wrong with all of them.
 */
export class BatchRefusedError extends DomainError {
  /** @param refused at least one, in the order of the inputs */
  constructor(refused: readonly [RefusedInput, ...RefusedInput[]]) {
    const [{ index, error: first }] = refused;
    const errors = refused.flatMap(({ index: at, error }) =>
      errorsOf(error).map((each) => ({ index: at, ...each })),
    );
    const omitted = errors.length - MAX_ERRORS + sum(refused.map(({ error }) => error.details.omitted ?? 0));
    const others = errors.length > 1 ? ` (and ${errors.length - 1} more)` : '';
    super(first.code, `Input ${index}: ${errorsOf(first)[0]?.message ?? first.message}${others}`, {
      status: first.status,
      errors: errors.slice(0, MAX_ERRORS),
      ...(omitted > 0 ? { omitted } : {}),
    });
  }
}

function errorsOf({ message, details }: DomainError): readonly FieldError[] {
  return details.errors !== undefined && details.errors.length > 0 ? details.errors : [{ message }];
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);
