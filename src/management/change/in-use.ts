import { DomainError } from '../../errors/domain-error.js';
import { MAX_ERRORS } from '../../errors/errors.js';

/** Most names in a message. */
const NAMED = 5;

/** What cannot be removed, and everything that uses it. */
export interface InUse {
  /** Such as `The team Sales`. */
  readonly what: string;
  /** Such as `the router Inbound`. */
  readonly uses: readonly string[];
}

/** Lists names: all of them, or the first of many. */
export function firstOf(names: readonly string[]): string {
  const others = names.length - NAMED;
  return `${names.slice(0, NAMED).join(', ')}${others > 0 ? ` and ${others} more` : ''}`;
}

/** Says what uses something: all of it, or the first of many. */
export function inUseMessage({ what, uses }: InUse): string {
  return `${what} is in use: ${firstOf(uses)}`;
}

/** 409: something that is to be removed is in use. `errors` names every use, up to a bound. */
export function inUse(found: InUse): DomainError {
  const { uses } = found;
  const omitted = uses.length - MAX_ERRORS;
  return new DomainError('conflict', inUseMessage(found), {
    errors: uses.slice(0, MAX_ERRORS).map((message) => ({ message })),
    ...(omitted > 0 ? { omitted } : {}),
  });
}

/** @throws 409 where anything uses it */
export function requireUnused(found: InUse): void {
  if (found.uses.length > 0) throw inUse(found);
}
