/** What a batch does with each of its inputs (contract section 7). */
export const BATCH_ACTIONS = ['create', 'read', 'update', 'upsert', 'archive', 'restore'] as const;

export type BatchAction = (typeof BATCH_ACTIONS)[number];

interface ActionRule {
  /** The keys that an input has, all of them. */
  readonly keys: readonly ('id' | 'fields')[];
  /** Whether inputs may be named by a unique key, or must. */
  readonly byKey: 'never' | 'maybe' | 'always';
}

export const BATCH_RULES: Readonly<Record<BatchAction, ActionRule>> = {
  create: { keys: ['fields'], byKey: 'never' },
  read: { keys: ['id'], byKey: 'maybe' },
  update: { keys: ['id', 'fields'], byKey: 'maybe' },
  upsert: { keys: ['id', 'fields'], byKey: 'always' },
  archive: { keys: ['id'], byKey: 'maybe' },
  restore: { keys: ['id'], byKey: 'never' },
};
