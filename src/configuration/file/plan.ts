/** A change that applying a file makes to one thing. */
export interface PlannedChange {
  readonly action: 'create' | 'update';
  readonly kind: 'account' | 'user' | 'team' | 'field' | 'capacity' | 'router';
  readonly name: string;
  /** The keys that differ, for an update. */
  readonly keys?: readonly string[];
}

/** The changes that applying a file makes to one account; empty when the account already matches the file. */
export interface AccountPlan {
  readonly account: string;
  readonly changes: readonly PlannedChange[];
}

/** Returns the plan as lines of text. */
export function describePlan(plans: readonly AccountPlan[]): string[] {
  return plans.flatMap(({ account, changes }) =>
    changes.length === 0
      ? [`${account}: no changes`]
      : changes.map(({ action, kind, name, keys }) => {
          const what = `${account}: ${action} ${kind} ${name}`;
          return keys === undefined ? what : `${what} (${keys.join(', ')})`;
        }),
  );
}
