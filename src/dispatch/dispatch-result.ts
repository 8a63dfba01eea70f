/** What a dispatch answers (contract section 4). */
export type DispatchResult = AssignedResult | NotAssignedResult;

export interface AssignedResult {
  readonly message: string;
  readonly success: true;
  /** E-mail of the new owner. */
  readonly user: string;
  /** The owner field that was set. */
  readonly field_name: string;
  /** RFC 2822, UTC. */
  readonly owner_assigned_at: string;
  readonly assignment_id: string;
  /** A stable word for what decided. */
  readonly reason: string;
}

export interface NotAssignedResult {
  readonly message: string;
  readonly success: false;
  readonly reason: string;
}
