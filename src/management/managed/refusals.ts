import { DomainError } from '../../errors/domain-error.js';
import { DuplicateError, MAX_ERRORS, notFound, preconditionFailed } from '../../errors/errors.js';
import { capitalized } from '../../text/capitalized.js';
import type { ChangedObject } from '../change/configuration-change.js';

type Kind = ChangedObject['kind'];

/** 409: an active object of the account has the key already. @param field the key, such as `email` */
export function duplicate(kind: Kind, field: string, existingId: string): DomainError {
  return new DuplicateError(kind, [{ field, existingId }]);
}

/** 404: the account has no such object, or it cannot be archived again. */
export function objectNotFound(kind: Kind): DomainError {
  return notFound(`${capitalized(kind)} not found`);
}

/** @param versions of which it must have one; any unless given @throws 412 */
export function requireCurrent(
  kind: Kind,
  version: string | undefined,
  versions: readonly string[] | undefined,
): void {
  if (versions === undefined || versions.includes(version ?? '')) return;
  throw preconditionFailed(`The ${kind} is no longer as If-Match says`);
}

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

/** Says what uses `The team Sales`: `the router Inbound` and others, in the error up to a bound. */
export function inUse(what: string, uses: readonly string[]): InUse {
  const message = `${what} is in use: ${firstOf(uses)}`;
  const omitted = uses.length - MAX_ERRORS;
  const error = new DomainError('conflict', message, {
    errors: uses.slice(0, MAX_ERRORS).map((use) => ({ message: use })),
    ...(omitted > 0 ? { omitted } : {}),
  });
  return { message, error };
}

/** Returns what keeps rows from being removed, by their ids; nothing for those that nothing uses. */
export function usesById<Row extends { readonly id: string }>(
  rows: readonly Row[],
  find: (row: Row) => { readonly what: string; readonly uses: readonly string[] },
): ReadonlyMap<string, InUse> {
  return new Map(
    rows.flatMap((row) => {
      const { what, uses } = find(row);
      return uses.length === 0 ? [] : [[row.id, inUse(what, uses)] as const];
    }),
  );
}
