import { Injectable } from '@nestjs/common';
import type { AccountContext } from '../../accounts/index.js';
import { inBatches, newId, type Transaction } from '../../database/index.js';
import type { Author } from '../change/author.js';
import type { PlannedChange } from '../change/planned-change.js';
import { AuditEntryEntity } from './audit-entry.entity.js';

/** Writes and reads the audit of accounts. */
@Injectable()
export class AuditRepository {
  /** Adds an entry for each change. */
  async insert(
    tx: Transaction,
    { accountId }: AccountContext,
    { author, changes }: { readonly author: Author; readonly changes: readonly PlannedChange[] },
  ): Promise<void> {
    const at = new Date();
    // TypeORM's insert type cannot express free-form JSON.
    const rows: object[] = changes.map(({ action, object, values }) => ({
      accountId,
      id: newId(),
      at,
      byKind: author.kind,
      byId: author.id,
      byName: author.name,
      action,
      objectKind: object.kind,
      objectId: object.id,
      objectName: object.name,
      changes: values,
      requestId: author.requestId,
    }));
    await inBatches(rows, (batch) => tx.repository(AuditEntryEntity).insert(batch));
  }
}
