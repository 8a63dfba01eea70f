import { DateTime } from 'luxon';
import type { DomainError } from '../../errors/domain-error.js';
import { errorObject, type ErrorObject } from '../../errors/error-object.js';
import { assignedDateOf, type ObjectType } from '../../fields/index.js';
import type { StoredRecord } from '../../records/index.js';
import type { Decided } from '../decision/decider.js';
import { archived, invalidField, notFound } from '../../errors/errors.js';

/** The answer of a dispatch (contract section 4). */
export type DispatchResult = AssignedResult | NotAssignedResult;

export interface AssignedResult {
  readonly message: string;
  readonly success: true;
  /** E-mail of the owner. */
  readonly user: string;
  /** The owner field that has this user. */
  readonly field_name: string;
  /** RFC 2822, UTC: since when. */
  readonly owner_assigned_at: string;
  /** The entry of the log. */
  readonly assignment_id: string;
  /** A stable word for the reason of the decision. */
  readonly reason: string;
}

export interface NotAssignedResult {
  readonly message: string;
  readonly success: false;
  readonly reason: string;
  /** E-mail of the present owner, with the reason `owner_present` only. */
  readonly user?: string;
  /** The entry of the log. */
  readonly assignment_id: string;
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

/** A decision, and the entry of the log that has it. */
export interface LoggedDecision extends Decided {
  readonly assignmentId: string;
}

/** Returns the answer of a dispatch. @param now the instant of the dispatch, as `assignedAt` returns it */
export function dispatchResult(
  { record, decision, assignmentId }: Omit<LoggedDecision, 'snapshot'>,
  now: string,
): DispatchResult {
  const { message, reason } = decision;
  if (!decision.assigned) {
    const owner = decision.owner === undefined ? {} : { user: decision.owner };
    return { message, success: false, reason, ...owner, assignment_id: assignmentId };
  }
  const { user, fieldName, unchanged } = decision;
  return {
    message,
    success: true,
    user,
    field_name: fieldName,
    owner_assigned_at: unchanged ? assignedAt(assignedSince(record, fieldName)) : now,
    assignment_id: assignmentId,
    reason,
  };
}

/** Since when a record has its owner. Imagined records have no assigned date: they have it from the start. */
function assignedSince({ fields, created_at }: StoredRecord, ownerField: string): Date {
  const since = fields[assignedDateOf(ownerField)];
  return since === undefined ? created_at : new Date(since);
}

/** A record that a router is to run on. */
export interface Run {
  readonly routerId: string;
  readonly objectId: string;
  /** The id of its request; undefined for a command. */
  readonly requestId?: string | undefined;
}

/** What became of a run: its answer, or the error for its client. */
export type Outcome =
  | { readonly ok: true; readonly result: DispatchResult }
  | {
      readonly ok: false;
      readonly error: DomainError;
      /** The router cannot run on any record. */
      readonly isOfRouter?: boolean;
    };

/** Why a run is left for another transaction: somebody else has locked its record, or this one is full. */
export type Left = 'held' | 'later';

/** Returns why a router cannot run on a record: 404 for none, 400 for one of another type, 409 archived. */
export function refusalOf(
  record: Pick<StoredRecord, 'object_type' | 'archived_at'> | undefined,
  objectType: ObjectType,
): DomainError | undefined {
  if (record === undefined) return notFound('Object not found');
  if (record.object_type !== objectType) {
    const message = `This router is for ${objectType}; the object is one of ${record.object_type}`;
    return invalidField('object_id', message);
  }
  return record.archived_at === null ? undefined : archived('The object is archived and cannot be assigned');
}
