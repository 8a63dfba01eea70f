import { Injectable } from '@nestjs/common';
import type { AccountContext } from '../../accounts/index.js';
import { And, IsNull, LessThan, MoreThanOrEqual, type FindOptionsWhere } from 'typeorm';
import {
  firstIdAt,
  inBatches,
  isId,
  newId,
  timeOfId,
  type Queryable,
  type Transaction,
} from '../../database/index.js';
import type { Author } from './author.js';
import type { PlannedChange } from './planned-change.js';
import { AuditEntryEntity } from './audit-entry.entity.js';
import { auditedValues } from './audited-values.js';

/** Selects entries. What is undefined selects nothing. */
export interface AuditFilter {
  /** Id of an object, or a kind. */
  readonly object: string | undefined;
  /** Id of a client, or the name of a command. */
  readonly by: string | undefined;
  readonly from: Date | undefined;
  /** Entries before it. */
  readonly to: Date | undefined;
}

/** Writes and reads the audit of accounts. */
@Injectable()
export class AuditRepository {
  /** Adds an entry for each change. */
  async insert(
    tx: Transaction,
    { accountId }: AccountContext,
    { author, changes }: { readonly author: Author; readonly changes: readonly PlannedChange[] },
  ): Promise<void> {
    const ids = changes.map(() => newId());
    // TypeORM's insert type cannot express free-form JSON.
    const rows: object[] = changes.map((change, index) => ({
      accountId,
      id: ids[index],
      at: new Date(timeOfId(ids[index] ?? '')),
      byKind: author.kind,
      byId: author.id,
      byName: author.name,
      action: change.action,
      objectKind: change.object.kind,
      objectId: change.object.id,
      objectName: change.object.name,
      changes: auditedValues(change),
      requestId: author.requestId,
    }));
    await inBatches(rows, (batch) => tx.repository(AuditEntryEntity).insert(batch));
  }

  /** Returns entries, newest first. @param range `behind`: id of the entry behind which they start */
  list(
    db: Queryable,
    { accountId }: AccountContext,
    {
      limit,
      behind,
      ...filter
    }: AuditFilter & { readonly limit: number; readonly behind: string | undefined },
  ): Promise<AuditEntryEntity[]> {
    return db.repository(AuditEntryEntity).find({
      where: { accountId, ...idsOf(filter, behind), ...objectsOf(filter), ...authorsOf(filter) },
      order: { id: 'DESC' },
      take: limit,
    });
  }
}

type Where = FindOptionsWhere<AuditEntryEntity>;

/** Ids begin with the time of their entry. */
function idsOf({ from, to }: AuditFilter, behind: string | undefined): Where {
  const ends = [to === undefined ? undefined : firstIdAt(to), behind].filter((id) => id !== undefined);
  const bounds = [
    ...(from === undefined ? [] : [MoreThanOrEqual(firstIdAt(from))]),
    ...ends.map((end) => LessThan(end)),
  ];
  return bounds.length === 0 ? {} : { id: And(...bounds) };
}

function objectsOf({ object }: AuditFilter): Where {
  if (object === undefined) return {};
  return isId(object) ? { objectId: object } : { objectKind: object };
}

function authorsOf({ by }: AuditFilter): Where {
  if (by === undefined) return {};
  return isId(by) ? { byId: by } : { byId: IsNull(), byName: by };
}
