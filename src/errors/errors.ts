import { DomainError, type FieldError } from './domain-error.js';

/** Most failures that an error lists (contract section 1). */
export const MAX_ERRORS = 100;

/** What is known of the failures of a request beside those that are described. */
interface Beside {
  /** Number of failures that were counted and not collected. */
  readonly omitted?: number;
  /** `invalid_fields` where a value of a record is among them. */
  readonly code?: 'invalid_request' | 'invalid_fields';
}

/**
 * 400 for one or more failures. The message is that of the first one, with the number of the others. At most
 * `MAX_ERRORS` are listed.
 */
export function invalid(
  errors: readonly FieldError[],
  { omitted = 0, code = 'invalid_request' }: Beside = {},
): DomainError {
  const [first] = errors;
  const total = errors.length + omitted;
  const message = (first?.message ?? 'Invalid request') + (total > 1 ? ` (and ${total - 1} more)` : '');
  const field = total === 1 ? first?.field : undefined;
  const listed = errors.slice(0, MAX_ERRORS);
  return new DomainError(code, message, {
    ...(field === undefined ? {} : { field }),
    errors: listed,
    ...(total === listed.length ? {} : { omitted: total - listed.length }),
  });
}

/** Returns a 400 for one failing field. */
export function invalidField(field: string, message: string): DomainError {
  return invalid([{ field, message }]);
}

/** 404. Unknown ids, malformed ids and ids of other accounts have the same one. */
export function notFound(message: string): DomainError {
  return new DomainError('not_found', message);
}

/** 409. @param field the field to blame, if there is one */
export function conflict(message: string, field?: string): DomainError {
  return new DomainError(
    'conflict',
    message,
    field === undefined ? {} : { field, errors: [{ field, message }] },
  );
}

/** 409: the record is archived, and what was asked for needs an active one. */
export function archived(message: string): DomainError {
  return new DomainError('archived', message);
}

/** 409: the first request with an idempotency key is at work. The caller may try again after one second. */
export function idempotencyInProgress(): DomainError {
  return new DomainError(
    'idempotency_in_progress',
    'The first request with this Idempotency-Key is still running',
    { headers: { 'Retry-After': '1' } },
  );
}

/** 412: the record is not as the preconditions of the request say. */
export function preconditionFailed(message: string): DomainError {
  return new DomainError('precondition_failed', message);
}

/** 409: the record is active, and what was asked for needs an archived one. */
export function notArchived(message: string): DomainError {
  return new DomainError('not_archived', message);
}

/** 401. @param challenge value of `WWW-Authenticate` (RFC 6750) */
export function unauthorized(message: string, challenge = 'Bearer'): DomainError {
  return new DomainError('unauthorized', message, { headers: { 'WWW-Authenticate': challenge } });
}

/**
 * 503 without `Retry-After`: a write may or may not have happened, and sending it again may do it twice.
 */
export function outcomeUnknown(): DomainError {
  return new DomainError(
    'outcome_unknown',
    'The connection to the database was lost. The write may or may not have happened: look before you repeat it',
  );
}

/** 503: nothing has happened. Tells the caller to try again after one second. */
export function unavailable(message: string): DomainError {
  return new DomainError('unavailable', message, { headers: { 'Retry-After': '1' } });
}

/** 429. @param seconds after which the caller may try again */
export function rateLimited(message: string, seconds: number): DomainError {
  return new DomainError('rate_limited', message, { headers: { 'Retry-After': String(seconds) } });
}

/** 500. The caller sees only the id of the request, by which the log has the cause. */
export function internal(): DomainError {
  return new DomainError('internal', 'Internal server error');
}

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

  /** Adds the failures of another collection. @param path of what its fields belong to @returns this */
  take(others: Failures, path?: string): this {
    const placed = (error: FieldError): FieldError =>
      path === undefined ? error : { ...error, field: error.field ? `${path}.${error.field}` : path };
    this.addAll(others.kept.map(placed));
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
