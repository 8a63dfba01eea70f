/** What applying a file does to one thing. */
export interface PlannedChange {
  readonly action: 'create' | 'update';
  readonly kind: 'account' | 'user' | 'team' | 'field' | 'capacity' | 'router';
  readonly name: string;
  /** The keys that differ, for an update. */
  readonly keys?: readonly string[];
}

/** What applying a file does to one account; no changes when the account is already as the file says. */
export interface AccountPlan {
  readonly account: string;
  readonly changes: readonly PlannedChange[];
}

/** The plan as lines for people. */
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
