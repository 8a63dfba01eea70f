import { DomainError } from '../../errors/domain-error.js';
import type { RecordView } from '../record-view.js';

/** How one of many writes has ended: as a request of its own would have. */
export type Ended<View = RecordView> = Done<View> | { readonly error: DomainError };

/** A write that was done, or a record that was read. */
export interface Done<View = RecordView> {
  readonly status: number;
  readonly record: View;
}

/** How a write of a record that was there has ended. */
export const done = (record: RecordView): Done => ({ status: 200, record });

/** @throws errors that the request has not caused */
export function refusal(error: unknown): { readonly error: DomainError } {
  if (error instanceof DomainError && error.status < 500) return { error };
  throw error;
}
