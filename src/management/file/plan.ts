import type { ChangeAction, ChangedObject, PlannedChange } from '../change/planned-change.js';
import type { ValueChange } from '../change/value-changes.js';

/** A change that applying a file makes to one thing. */
interface PlanStep {
  readonly action: ChangeAction;
  readonly kind: ChangedObject['kind'];
  readonly name: string;
  /** The keys that differ, for an update. */
  readonly keys?: readonly string[];
  /** The values that differ. */
  readonly changes: readonly ValueChange[];
}

/** The changes that applying a file makes to one account; empty when the account already matches the file. */
export interface AccountPlan {
  readonly account: string;
  readonly changes: readonly PlanStep[];
}

/** Returns the plan of an account. */
export function accountPlan(account: string, changes: readonly PlannedChange[]): AccountPlan {
  return {
    account,
    changes: changes.map(({ action, object: { kind, name }, values }) => {
      const keys = [...new Set(values.map(({ path }) => path.replace(/[.[].*/, '')))];
      return { action, kind, name, ...(action === 'update' ? { keys } : {}), changes: values };
    }),
  };
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
