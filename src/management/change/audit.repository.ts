import { Injectable } from '@nestjs/common';
import { And, In, IsNull, LessThan, MoreThanOrEqual, type FindOptionsWhere } from 'typeorm';
import { ALL_ACCOUNTS, lockedSlugOf, type AccountContext, type OldestRows } from '../../accounts/index.js';
import { clientName } from '../../auth/index.js';
import {
  firstIdAt,
  inBatches,
  isId,
  newId,
  timeOfId,
  type EntityReader,
  type IdRange,
  type RowPage,
  type Transaction,
} from '../../database/index.js';
import { fittingRows } from '../../paging/index.js';
import { AuditEntryEntity } from './audit-entry.entity.js';
import { auditedValues, type Author, type PlannedChange } from './configuration-change.js';

const BEGIN = {
  name: 'configuration_change_begin',
  text: `SELECT ${clientName('$1', '$2')} AS name, lock.* FROM (${lockedSlugOf('$1')}) lock`,
};

/** $1 account. On its node, the trigger of the table lets this transaction delete entries. */
const BEGIN_SWEEP = {
  name: 'audit_begin_sweep',
  text: `SELECT set_config('fairlead.sweeps_audit', 'on', true) FROM (${ALL_ACCOUNTS}) account WHERE account.id = $1`,
};

/** $1 account, $2 the first id that is kept, $3 most. Leaves out those that another process deletes. */
const DELETE_OLDEST = {
  name: 'audit_delete_oldest',
  text: `DELETE FROM audit_entries WHERE account_id = $1 AND id = ANY (ARRAY(
      SELECT old.id FROM audit_entries old WHERE old.account_id = $1 AND old.id < $2::uuid
      ORDER BY old.id LIMIT $3 FOR UPDATE SKIP LOCKED)) RETURNING id`,
};

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

/** Writes, reads and sweeps the audit of accounts. */
@Injectable()
export class AuditRepository {
  /**
   * Waits for other changes of the account's configuration, and keeps new ones waiting. It writes nothing.
   * @returns the name of the client, revoked or not; its id for an unknown one
   */
  async begin(
    tx: Transaction,
    { accountId, clientId }: AccountContext & { readonly clientId?: string },
  ): Promise<string> {
    const [row] = await tx.query<{ name: string | null }>(BEGIN, [accountId, clientId ?? null]);
    return row?.name ?? clientId ?? '';
  }

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

  /**
   * Returns one page of entries, newest first. It ends early where its changes would exceed PAGE_BYTES.
   * @param range `behind`: id of the entry behind which it starts
   */
  async list(
    db: EntityReader,
    { accountId }: AccountContext,
    { limit, behind, ...filter }: AuditFilter & Pick<IdRange, 'limit' | 'behind'>,
  ): Promise<Omit<RowPage<AuditEntryEntity>, 'count'>> {
    const entries = db.repository(AuditEntryEntity);
    const found = await entries
      .createQueryBuilder('entry')
      .select('entry.id', 'id')
      .addSelect('octet_length(entry.changes::text)', 'bytes')
      .where({ accountId, ...selected(filter, behind) })
      .orderBy('entry.id', 'DESC')
      .limit(limit + 1)
      .getRawMany<{ id: string; bytes: number }>();
    const fitting = fittingRows(found, ({ bytes }) => bytes + BYTES_PER_ENTRY);
    const ids = fitting.slice(0, limit).map(({ id }) => id);
    const rows = await entries.find({ where: { accountId, id: In(ids) }, order: { id: 'DESC' } });
    return { rows, more: ids.length < found.length };
  }

  /** Deletes the oldest entries of an account, which nothing else may. @returns how many */
  async deleteOldest(tx: Transaction, { accountId, firstKept, most }: OldestRows): Promise<number> {
    await tx.query(BEGIN_SWEEP, [accountId]);
    return (await tx.query(DELETE_OLDEST, [accountId, firstKept, most])).length;
  }
}

/** The most bytes that an entry has in the answer, its changes apart. */
const BYTES_PER_ENTRY = 4096;

function selected(
  { object, by, from, to }: AuditFilter,
  behind: string | undefined,
): FindOptionsWhere<AuditEntryEntity> {
  // Ids begin with the time of their entry.
  const bounds = [
    ...(from === undefined ? [] : [MoreThanOrEqual(firstIdAt(from))]),
    ...(to === undefined ? [] : [LessThan(firstIdAt(to))]),
    ...(behind === undefined ? [] : [LessThan(behind)]),
  ];
  return {
    ...(bounds.length > 0 && { id: And(...bounds) }),
    ...(object !== undefined && (isId(object) ? { objectId: object } : { objectKind: object })),
    ...(by !== undefined && (isId(by) ? { byId: by } : { byId: IsNull(), byName: by })),
  };
}
