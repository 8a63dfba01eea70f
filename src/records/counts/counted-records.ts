import { createHash } from 'node:crypto';
import { OBJECT_TYPE_RULES, type ObjectType } from '../../fields/index.js';
import { OWNER } from './record-counts.statements.js';

/** Active records of an account that are counted by their owners. */
export interface CountedRecords {
  readonly objectType: ObjectType;
  /** The user field that names the owner. */
  readonly ownerField: string;
  /** Only records that have one of the values in the field. */
  readonly having?: { readonly field: string; readonly values: readonly string[] };
}

/** What a version of an account's configuration lets count. */
export interface NeededCounters {
  readonly accountId: string;
  readonly version: string;
  readonly counted: readonly CountedRecords[];
}

/**
 * Returns the id of the counter of these records. It follows from what is counted, so that a reader needs no
 * other to find the counter, and a new definition gets a new one.
 */
export function counterOf({ objectType, ownerField, having }: CountedRecords): string {
  if (having === undefined && OBJECT_TYPE_RULES[objectType].ownerField === ownerField) return OWNER;
  const values = having === undefined ? null : [...new Set(having.values)].sort();
  const hash = createHash('sha256').update(JSON.stringify([ownerField, having?.field ?? null, values]));
  return hash.digest('hex').slice(0, 32);
}
