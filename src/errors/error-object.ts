import { isConnectionLost, isUnavailable, OutcomeUnknownError } from '../database/index.js';
import type { DomainError, FieldError } from './domain-error.js';
import { outcomeUnknown, unavailable } from './errors.js';

/** The error object of clause 2.9 with the additions of contract section 1, but for the id of the request. */
export interface ErrorObject {
  readonly message: string;
  readonly error: true;
  /** The stable word by which clients decide. */
  readonly code: string;
  readonly field?: string;
  /** Of a duplicate: the id of the active record that has the key. */
  readonly existing_id?: string;
  readonly errors?: readonly FieldError[];
  /** How many more failures there are than `errors` lists. */
  readonly errors_omitted?: number;
}

/** Messages repeat texts of requests, which may be no valid Unicode. */
const UNPAIRED_SURROGATE = /\p{Surrogate}/gu;

const readable = <T extends { readonly message: string }>(each: T): T => ({
  ...each,
  message: each.message.replace(UNPAIRED_SURROGATE, '\uFFFD'),
});

/** Builds the error object of a domain error. Its messages have U+FFFD for each unpaired surrogate. */
export function errorObject({ message, code, details }: DomainError): ErrorObject {
  const { field, existingId, errors, omitted, extra } = details;
  return {
    ...readable({ message }),
    error: true,
    code,
    ...(field === undefined ? {} : { field }),
    ...(existingId === undefined ? {} : { existing_id: existingId }),
    ...(errors === undefined ? {} : { errors: errors.map(readable) }),
    ...(omitted === undefined ? {} : { errors_omitted: omitted }),
    ...extra,
  };
}

/**
 * Returns the 503 for an error that says that the database cannot serve; undefined for any other error.
 * Errors of the driver that `Database` has not judged say nothing about what was sent before.
 */
export function unavailableAnswer(error: unknown): DomainError | undefined {
  if (error instanceof OutcomeUnknownError || isConnectionLost(error)) return outcomeUnknown();
  if (isUnavailable(error)) return unavailable('The database is unavailable, try again shortly');
  return undefined;
}
