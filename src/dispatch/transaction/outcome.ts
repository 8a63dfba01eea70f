import { DomainError } from '../../errors/domain-error.js';
import type { DispatchResult } from './dispatch-result.js';

/** The result of one dispatch among several: its answer, or the error for its client. */
export type Outcome =
  | { readonly ok: true; readonly result: DispatchResult }
  | { readonly ok: false; readonly error: DomainError };

/** Runs `work` and turns a domain error into an outcome. Rethrows all other errors. */
export function attempt<T>(work: () => T): { ok: true; value: T } | { ok: false; error: DomainError } {
  try {
    return { ok: true, value: work() };
  } catch (error) {
    if (error instanceof DomainError) return { ok: false, error };
    throw error;
  }
}
