import { DomainError } from '../../errors/domain-error.js';
import { MAX_ERRORS } from '../../errors/errors.js';

/** Most names in a message. */
const NAMED = 5;

/** Why something is not removed. */
export interface InUse {
  /** What the pruning of a file says. */
  readonly message: string;
  /** What a request is answered: 409. */
  readonly error: DomainError;
}

/** Lists names: all of them, or the first of many. */
export function firstOf(names: readonly string[]): string {
  const others = names.length - NAMED;
  return `${names.slice(0, NAMED).join(', ')}${others > 0 ? ` and ${others} more` : ''}`;
}

/**
 * Says what uses something: all of it, or the first of many. The error lists every use, up to a bound.
 * @param what such as `The team Sales`
 * @param uses such as `the router Inbound`, at least one
 */
export function inUse(what: string, uses: readonly string[]): InUse {
  const message = `${what} is in use: ${firstOf(uses)}`;
  const omitted = uses.length - MAX_ERRORS;
  const error = new DomainError('conflict', message, {
    errors: uses.slice(0, MAX_ERRORS).map((use) => ({ message: use })),
    ...(omitted > 0 ? { omitted } : {}),
  });
  return { message, error };
}
