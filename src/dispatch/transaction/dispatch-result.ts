import { DateTime } from 'luxon';
import type { DomainError } from '../../errors/domain-error.js';
import { errorObject, type ErrorObject } from '../../errors/error-object.js';
import type { Assigned, NotAssigned } from '../../engine/index.js';

/** The answer of a dispatch (contract section 4). */
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
  /** A stable word for the reason of the decision. */
  readonly reason: string;
}

export interface NotAssignedResult {
  readonly message: string;
  readonly success: false;
  readonly reason: string;
}

/** The entry of a batch for one record: the status and the body that a single dispatch would have. */
export type BatchResult = { readonly object_id: string; readonly status: number } & (
  DispatchResult | ErrorObject
);

/** Returns the entry of a batch for a record that was refused. */
export function refusedResult(objectId: string, error: DomainError): BatchResult {
  return { object_id: objectId, status: error.status, ...errorObject(error) };
}

/** Returns the instant of an assignment as answers contain it: RFC 2822, UTC. */
export function assignedAt(at: Date): string {
  return DateTime.fromJSDate(at, { zone: 'utc' }).toRFC2822() ?? '';
}

/** Returns the answer of a dispatch that assigned somebody. @param at as `assignedAt` returns it */
export function assignedResult(decision: Assigned, at: string, assignmentId: string): AssignedResult {
  return {
    message: decision.message,
    success: true,
    user: decision.user,
    field_name: decision.fieldName,
    owner_assigned_at: at,
    assignment_id: assignmentId,
    reason: decision.reason,
  };
}

/** Returns the answer of a dispatch that assigned nobody. */
export function notAssignedResult({ message, reason }: NotAssigned): NotAssignedResult {
  return { message, success: false, reason };
}
