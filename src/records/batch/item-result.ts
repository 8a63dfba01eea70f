import { DomainError } from '../../errors/domain-error.js';
import type { RecordView } from '../record-view.js';

/** What one input of many is answered: as a request of its own would be. */
export type ItemResult<View = RecordView> = DoneItem<View> | { readonly error: DomainError };

/** An input that was done. */
interface DoneItem<View> {
  readonly status: number;
  readonly record: View;
}

/** The result of an input whose record was there. */
export const ok = <View>(record: View): DoneItem<View> => ({ status: 200, record });

/** @throws errors that the request has not caused */
export function refused(error: unknown): { readonly error: DomainError } {
  if (error instanceof DomainError && error.status < 500) return { error };
  throw error;
}
