import { Injectable } from '@nestjs/common';
import { AssignmentsRepository, type ReturnMinutes } from '../../assignments/index.js';
import type { Transaction } from '../../database/index.js';
import {
  valueOf,
  type RecordHook,
  type RecordWrite,
  type RecordWriteSteps,
  type WrittenRecord,
} from '../../records/index.js';
import { RouterSnapshots } from '../snapshot/router-snapshots.js';

/**
 * Returns an assignment when a client takes the record from its owner soon after it was made (setting
 * `reimburse_within_minutes`): by an update of the owner, or by archiving the record. It is marked in
 * the log. Limits do not count it from then on, and the next dispatch of its router gives the turn back. A
 * dispatch that takes a record does the same (`assignmentTakenBack`).
 */
@Injectable()
export class ReturnedTurns implements RecordHook {
  constructor(
    private readonly assignments: AssignmentsRepository,
    private readonly snapshots: RouterSnapshots,
  ) {}

  /** Takes part in updates of owner fields that routers return turns for, and in archiving. */
  onWrite(write: RecordWrite): RecordWriteSteps | undefined {
    const { action, client, id } = write;
    if (id === null) return undefined;
    const fields = this.fieldsOf(write);
    if (fields.length === 0) return undefined;
    const take = async (
      tx: Transaction,
      { previous, record }: WrittenRecord,
      [field, minutes]: readonly [string, ReturnMinutes],
    ): Promise<void> => {
      const owner = previous === null ? undefined : valueOf(previous, field);
      const newOwner = action === 'archive' ? null : (valueOf(record, field) ?? null);
      if (owner === undefined || owner === newOwner) return;
      await this.assignments.returnLast(tx, client, { objectId: id, minutes, owner, newOwner });
    };
    return {
      after: async (tx, written) => {
        await Promise.all(fields.map((field) => take(tx, written, field)));
      },
    };
  }

  concerns(write: Omit<RecordWrite, 'id'>): boolean {
    return this.fieldsOf(write).length > 0;
  }

  /** The owner fields that a write may take from their users, and that routers return turns for. */
  private fieldsOf({
    action,
    objectType,
    changes,
    configuration,
  }: Omit<RecordWrite, 'id'>): (readonly [string, ReturnMinutes])[] {
    if (action === 'create') return [];
    const returning = this.snapshots.returning(configuration, objectType);
    return [...returning].filter(([field]) => action === 'archive' || changes.has(field));
  }
}
