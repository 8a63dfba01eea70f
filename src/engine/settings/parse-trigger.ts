import type { ObjectType } from '../../fields/object-type.js';
import { collectIssues, type FieldIssue } from '../model/field-issue.js';
import type { Trigger } from '../model/router-configuration.js';
import { conditionCheck, type KnownConditions } from './check-condition.js';
import { readTrigger } from './read-trigger.js';
import type { PlacedValue } from './read-values.js';

/** A trigger, or every error of the given one. */
export type TriggerResult =
  | { readonly ok: true; readonly trigger: Trigger }
  | { readonly ok: false; readonly errors: readonly FieldIssue[] };

/**
 * Validates a trigger that stands alone, as `parseSettings` validates that of a router.
 * @param place the value, and the path at which errors start: `filter.groups[0].conditions[1].value`
 */
export function parseTrigger(
  place: PlacedValue,
  objectType: ObjectType,
  known: KnownConditions,
): TriggerResult {
  const { issues, report } = collectIssues();
  const trigger = readTrigger(place, { report, check: conditionCheck(objectType, known, report) });
  return issues.length === 0 ? { ok: true, trigger } : { ok: false, errors: issues };
}
