/**
 * Where the index of a field has the keys of all records for which a condition holds: conditions of SQL on
 * the keys `k`, one at least, of which no two hold for one key.
 */
export interface KeySpan {
  readonly field: string;
  readonly ranges: readonly string[];
  /** Whether each range is of one key, so that its records come in the order of their ids. */
  readonly areKeys: boolean;
}

/** The owners whom a condition on the owner means. */
export interface MeantOwners {
  /** E-mails in the form in which they are compared. */
  readonly emails: readonly string[];
  /** These, and UNKNOWN_TEXT. */
  readonly like: readonly string[];
}

/** What the column of the owner may have, and the e-mail that is shown for it. */
export interface StoredOwner {
  readonly name: string;
  readonly email: string;
}

/** A condition as PostgreSQL evaluates it. */
export interface ConditionSql {
  /** True or false where PostgreSQL knows whether the condition holds; null where it does not. */
  readonly verdict: string;
  /** Whether the verdict is never null. */
  readonly isExact: boolean;
  /** What is true wherever the condition holds, and finds these records by an index. */
  readonly narrowing: string | undefined;
  /** Of what the index is: of a unique key or of the owner. */
  readonly column?: 'key' | 'owner' | undefined;
  /** Those of a condition on the owner. */
  readonly owners?: MeantOwners | undefined;
  /** Where the index of a field has these records. */
  readonly span?: KeySpan | undefined;
}

/** What `search_text` returns for a text whose form PostgreSQL does not know. */
export const UNKNOWN_TEXT = '\u0001';
