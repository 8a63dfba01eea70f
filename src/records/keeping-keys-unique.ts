import type { AccountContext } from '../accounts/index.js';
import { violatedIndex, type Queryable } from '../database/index.js';
import { OBJECT_TYPE_RULES, type FieldChanges, type ObjectType } from '../fields/index.js';
import { DuplicateRecordError, type Collision } from './duplicate-record.error.js';
import { FIND_COLLISIONS } from './records.statements.js';

/** How often a write is tried whose keys others take and give back in the meantime. */
const ATTEMPTS = 5;

/** A write that a unique index may refuse. */
export interface KeyedWrite<T> {
  readonly objectType: ObjectType;
  readonly changes: FieldChanges;
  /** The record that is changed; null for a new one. */
  readonly id: string | null;
  readonly write: () => Promise<T>;
}

/**
 * Writes, and says which records have the keys where an index refuses the write: one query more. Where none
 * has them any more when they are looked for, the write is tried again, up to five times.
 * @throws DuplicateRecordError with the ids of these records; after the fifth time without an id
 */
export async function keepingKeysUnique<T>(
  db: Queryable,
  account: AccountContext,
  keyed: KeyedWrite<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await db.savepoint(keyed.write);
    } catch (error) {
      const index = violatedIndex(error);
      if (index === undefined) throw error;
      const found = await findCollisions(db, account, keyed);
      if (found.length === 0 && attempt < ATTEMPTS) continue;
      const own = index === 'records_unique_key_key' ? ownKey(keyed.objectType) : null;
      const collisions = found.length > 0 ? found : [{ field: own ?? 'external_id' }];
      throw new DuplicateRecordError(keyed.objectType, collisions);
    }
  }
}

/** Returns the unique key of the object type. This is not the external id, which every type has. */
export function ownKey(objectType: ObjectType): string | null {
  return OBJECT_TYPE_RULES[objectType].uniqueKeys.find((key) => key !== 'external_id') ?? null;
}

/** Ids of the records that have the keys. */
export interface Holders {
  readonly unique_key: string | null;
  readonly external_id: string | null;
}

/** Returns the values of the two columns of keys that a write sets. */
export function keysSet(objectType: ObjectType, changes: FieldChanges): [string | null, string | null] {
  const own = ownKey(objectType);
  return [own === null ? null : (changes.get(own) ?? null), changes.get('external_id') ?? null];
}

/** Returns the keys that others have, in the order of the specification. */
export function collisionsOf(objectType: ObjectType, holders: Holders | undefined): Collision[] {
  const collision = (field: string | null, existingId: string | null = null): Collision[] =>
    field === null || existingId === null ? [] : [{ field, existingId }];
  return [
    ...collision(ownKey(objectType), holders?.unique_key),
    ...collision('external_id', holders?.external_id),
  ];
}

async function findCollisions(
  db: Queryable,
  { accountId }: AccountContext,
  { objectType, changes, id }: KeyedWrite<unknown>,
): Promise<Collision[]> {
  const values = [accountId, objectType, ...keysSet(objectType, changes), id];
  const [holders] = await db.query<Holders>(FIND_COLLISIONS, values);
  return collisionsOf(objectType, holders);
}
