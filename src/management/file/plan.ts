import type { ChangeAction, ChangedObject, PlannedChange } from '../change/configuration-change.js';
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

/** Most characters of a value in a line of text. */
const MOST_SHOWN = 60;

/** Returns the plan of an account: what is archived first. */
export function accountPlan(account: string, changes: readonly PlannedChange[]): AccountPlan {
  const steps = changes.map(({ action, object: { kind, name }, values }): PlanStep => {
    const keys = [...new Set(values.map(({ path }) => path.replace(/[.[ ].*/, '')))];
    return { action, kind, name, ...(action === 'update' ? { keys } : {}), changes: values };
  });
  const archived = steps.filter(({ action }) => action === 'archive');
  return { account, changes: [...archived, ...steps.filter((step) => !archived.includes(step))] };
}

/** Returns the plan as lines of text: one for each thing, and below what is updated one for each value. */
export function describePlan(plans: readonly AccountPlan[]): string[] {
  return plans.flatMap(({ account, changes }) =>
    changes.length === 0
      ? [`${account}: no changes`]
      : changes.flatMap(({ action, kind, name, changes: values }) => [
          `${account}: ${action} ${kind} ${name}`,
          ...(action === 'create' ? [] : values.map(describeValue)),
        ]),
  );
}

function describeValue({ path, from, to }: ValueChange): string {
  return `  ${path}: ${shown(from)} -> ${shown(to)}`;
}

/** Returns a value as JSON in one line, cut where it is long. */
function shown(value: unknown): string {
  if (value === null) return 'none';
  const characters = Array.from(JSON.stringify(value));
  return characters.length <= MOST_SHOWN
    ? characters.join('')
    : `${characters.slice(0, MOST_SHOWN - 1).join('')}…`;
}
