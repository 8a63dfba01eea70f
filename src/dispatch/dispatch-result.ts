import { DateTime } from 'luxon';
import type { Assigned, NotAssigned } from './engine/index.js';

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

/** The answer of a dispatch that assigned. */
export function assignedResult(decision: Assigned, at: Date, assignmentId: string): AssignedResult {
  return {
    message: decision.message,
    success: true,
    user: decision.user,
    field_name: decision.fieldName,
    owner_assigned_at: DateTime.fromJSDate(at, { zone: 'utc' }).toRFC2822() ?? '',
    assignment_id: assignmentId,
    reason: decision.reason,
  };
}

/** The answer of a dispatch that assigned no one. */
export function notAssignedResult({ message, reason }: NotAssigned): NotAssignedResult {
  return { message, success: false, reason };
}
