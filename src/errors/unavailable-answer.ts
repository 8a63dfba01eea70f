import { isConnectionLost, isUnavailable, OutcomeUnknownError } from '../database/index.js';
import type { DomainError } from './domain-error.js';
import { outcomeUnknown, unavailable } from './errors.js';

/**
 * Returns the 503 for an error that says that the database cannot serve; undefined for any other error.
 * Errors of the driver that `Database` has not judged say nothing about what was sent before.
 */
export function unavailableAnswer(error: unknown): DomainError | undefined {
  if (error instanceof OutcomeUnknownError || isConnectionLost(error)) return outcomeUnknown();
  if (isUnavailable(error)) return unavailable('The database is unavailable, try again shortly');
  return undefined;
}
