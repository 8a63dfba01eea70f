import type { DomainError } from '../../errors/domain-error.js';
import { archived, invalidField, notFound } from '../../errors/errors.js';
import type { ObjectType } from '../../fields/index.js';
import type { StoredRecord } from '../../records/index.js';
import type { DispatchResult } from './dispatch-result.js';

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
