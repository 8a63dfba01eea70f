import type { AccountContext } from '../accounts/index.js';
import { OutcomeUnknownError, type FindWritten } from '../database/index.js';
import type { ObjectType } from '../fields/index.js';
import { hasKey, type KeyValue } from './record-key.js';
import * as statements from './records.statements.js';
import type { Renamed } from './renamed-views.js';
import type { StoredRecord } from './stored-record.js';

/** More than the clock of a database is set back. */
const MINUTE = 60_000;

/** Finds a record that was created. @param end the last 17 characters of its id */
export function findInserted(
  { accountId }: AccountContext,
  objectType: ObjectType,
  end: string,
): FindWritten<StoredRecord> {
  return async (db, { since }) => {
    const rows = await db.query<StoredRecord>(statements.FIND_INSERTED, [accountId, objectType, end, since]);
    return rows.length === 0 ? undefined : rows;
  };
}

/**
 * Finds a record that was updated. A record that was not changed since was not updated; one that was, and has
 * the values, cannot be told from one that was updated. One with other values was changed by somebody else,
 * before or after: the outcome is unknown. So it is where the record has lost the key by which it was named.
 * @param change `set` as a JSON object, `removed` keys
 */
export function findUpdated(
  { accountId }: AccountContext,
  { objectType, id, key }: Key,
  { set, removed }: { readonly set: string; readonly removed: readonly string[] },
): FindWritten<StoredRecord> {
  return async (db, { since }) => {
    const values = [accountId, objectType, id, set, removed, since];
    const [row] = await db.query<Found>(statements.FIND_UPDATED, values);
    if (row === undefined || !row.changed) return undefined;
    if (!row.current || !hasKey(row, key))
      throw new OutcomeUnknownError(new Error('the record was changed again'));
    const { changed: _, current: __, ...record } = row;
    return [record];
  };
}

/** Finds a record that was archived. @param archivedBy who archived it */
export function findArchived(
  { accountId }: AccountContext,
  { objectType, id, key }: Key,
  archivedBy: string,
): FindWritten<ArchivedRow> {
  return async (db, { since }) => {
    const [row] = await db.query<ArchivedRow>(statements.FIND_ARCHIVED, [accountId, objectType, id]);
    if (row?.archived_by !== archivedBy || row.archived_at === null) return undefined;
    if (!hasKey({ ...row, archived_at: null }, key)) return undefined;
    return row.archived_at.getTime() >= since - MINUTE ? [row] : undefined;
  };
}

/** Finds a record that was restored: an active one that was changed since. */
export function findRestored(
  { accountId }: AccountContext,
  { objectType, id }: Omit<Key, 'key'>,
): FindWritten<ArchivedRow> {
  return async (db, { since }) => {
    const [row] = await db.query<ArchivedRow>(statements.FIND_ARCHIVED, [accountId, objectType, id]);
    if (row === undefined || row.archived_at !== null) return undefined;
    return row.updated_at.getTime() >= since - MINUTE ? [row] : undefined;
  };
}

/** A record that was archived or restored, and what its view needs. */
export type ArchivedRow = StoredRecord & { readonly renamed: Renamed };

interface Key {
  readonly objectType: ObjectType;
  readonly id: string;
  /** The key that the record had to have when it was written, and still has after that. */
  readonly key: KeyValue | undefined;
}

type Found = StoredRecord & { readonly changed: boolean; readonly current: boolean };
