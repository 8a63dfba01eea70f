import type { AssignmentRow } from './assignments.repository.js';

/** An assignment as clients see it (contract section 6). */
export interface AssignmentView {
  readonly id: string;
  readonly router_id: string;
  /** The version of the router that has decided; null for none. */
  readonly router_version: number | null;
  /** Name of the rule that matched; null for none. */
  readonly rule: string | null;
  /** The step that gave the turn, 0 for the own pool of router or rule; null for no turn. */
  readonly step: number | null;
  readonly object_id: string;
  readonly object_type: string;
  /** E-mail of the new owner, or of the owner who was chosen again; null when nobody was assigned. */
  readonly user: string | null;
  /** The owner before. */
  readonly previous_user: string | null;
  readonly reason: string;
  readonly message: string;
  readonly created_at: string;
}

/** Returns the view of an entry. One that left the record with its owner is stored without a user. */
export function assignmentView({ user_email, created_at, ...row }: AssignmentRow): AssignmentView {
  const kept = row.reason === 'already_owner' ? row.previous_user : null;
  return {
    id: row.id,
    router_id: row.router_id,
    router_version: row.router_version,
    rule: row.rule,
    step: row.step,
    object_id: row.object_id,
    object_type: row.object_type,
    user: user_email ?? kept,
    previous_user: row.previous_user,
    reason: row.reason,
    message: row.message,
    created_at: created_at.toISOString(),
  };
}
