/** A condition as PostgreSQL evaluates it. */
export interface ConditionSql {
  /** True or false where PostgreSQL knows whether the condition holds; null where it does not. */
  readonly verdict: string;
  /** Whether the verdict is never null. */
  readonly isExact: boolean;
  /** What is true wherever the condition holds, and finds these records by an index. */
  readonly narrowing: string | undefined;
}

/** What `search_text` returns for a text whose form PostgreSQL does not know. */
export const UNKNOWN_TEXT = '\u0001';
