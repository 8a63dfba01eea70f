import { DomainError } from '../../errors/domain-error.js';
import type { DispatchResult } from './dispatch-result.js';

/** What became of one dispatch among several: its answer, or the error that is its caller's to see. */
export type Outcome =
  | { readonly ok: true; readonly result: DispatchResult }
  | { readonly ok: false; readonly error: DomainError };

/** Runs `work`, turning a domain error into an outcome; anything else is thrown on. */
export function attempt<T>(work: () => T): { ok: true; value: T } | { ok: false; error: DomainError } {
  try {
    return { ok: true, value: work() };
  } catch (error) {
    if (error instanceof DomainError) return { ok: false, error };
    throw error;
  }
}
