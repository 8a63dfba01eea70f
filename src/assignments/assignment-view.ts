import type { AssignmentRow } from './assignments.repository.js';

/** An assignment as clients see it (contract section 6). */
export interface AssignmentView {
  readonly id: string;
  readonly router_id: string;
  readonly object_id: string;
  readonly object_type: string;
  /** E-mail of the new owner; null when nobody was assigned. */
  readonly user: string | null;
  /** The owner before. */
  readonly previous_user: string | null;
  readonly reason: string;
  readonly message: string;
  readonly created_at: string;
}

export function assignmentView({ user_email, created_at, ...row }: AssignmentRow): AssignmentView {
  return {
    id: row.id,
    router_id: row.router_id,
    object_id: row.object_id,
    object_type: row.object_type,
    user: user_email,
    previous_user: row.previous_user,
    reason: row.reason,
    message: row.message,
    created_at: created_at.toISOString(),
  };
}
