import type { ValueChange } from './value-changes.js';

/** What is done to an object of the configuration. */
export const CHANGES = [
  'create',
  'update',
  'archive',
  'publish',
  'unpublish',
  'rollback',
  'discard',
  'rotate',
] as const;
export type ChangeAction = (typeof CHANGES)[number];

/** The kinds of objects of a configuration. */
export const CHANGED_KINDS = ['account', 'user', 'team', 'field', 'capacity', 'router', 'client'] as const;

/** An object of the configuration. */
export interface ChangedObject {
  readonly kind: (typeof CHANGED_KINDS)[number];
  readonly id: string;
  /** What the configuration file calls it. A field: `contacts.region`. */
  readonly name: string;
}

/** One change of one object, as the plan and the audit tell it. */
export interface PlannedChange {
  readonly action: ChangeAction;
  readonly object: ChangedObject;
  readonly values: readonly ValueChange[];
  /** Only drafts change, which no dispatch and no record reads. */
  readonly hidden?: boolean;
  /** The values are those of the draft of a router, all but `published`. */
  readonly draft?: boolean;
}
