import type { ObjectType } from '../../fields/object-type.js';
import { shownName } from '../../text/shown-name.js';
import {
  collectIssues,
  type Condition,
  type FieldIssue,
  type ReportIssue,
  type Trigger,
} from '../model/router-configuration.js';
import type { FieldLookup } from './field-value.js';
import type { TriggerOperator } from './operators.js';

/** What conditions can name. */
export interface KnownConditions {
  readonly fields: FieldLookup;
  readonly operators: readonly TriggerOperator[];
}

/** Checks a condition of the right form. `path` is its place. */
export type CheckCondition = (condition: Condition, path: string) => void;

/** A trigger, or every error of the given one. */
export type TriggerResult =
  | { readonly ok: true; readonly trigger: Trigger }
  | { readonly ok: false; readonly errors: readonly FieldIssue[] };

/** Validates a trigger that stands alone. @param place the value, and the path at which errors start */
export function parseTrigger(
  place: PlacedValue,
  objectType: ObjectType,
  known: KnownConditions,
): TriggerResult {
  const { issues, report } = collectIssues();
  const trigger = readTrigger(place, report, conditionCheck(objectType, known, report));
  return issues.length === 0 ? { ok: true, trigger } : { ok: false, errors: issues };
}

/** Returns the check of a condition: reports an unknown field or operator, and an invalid operand. */
export function conditionCheck(
  objectType: ObjectType,
  known: KnownConditions,
  report: ReportIssue,
): CheckCondition {
  return ({ field: name, operator: id, value }, path) => {
    const field = known.fields(objectType, name);
    const operator = known.operators.find((each) => each.id === id);
    if (field === undefined) report(`${path}.field`, `Unknown field of ${objectType}: ${shownName(name)}`);
    if (operator === undefined) {
      const ids = known.operators.map((each) => each.id).join(', ');
      report(`${path}.operator`, `Unknown operator: ${shownName(id)} (known: ${ids})`);
    }
    const compiled = field === undefined ? undefined : operator?.compile(value, field);
    if (compiled?.ok === false) report(`${path}.${compiled.blame}`, compiled.message);
  };
}

/**
 * Reads a trigger, `{"groups": [{"conditions": [{"field", "operator", "value"}]}]}`, and reports every value
 * of the wrong form. `groups` and `conditions` are optional. Passes conditions of the right form to `check`.
 */
export function readTrigger(place: PlacedValue, report: ReportIssue, check: CheckCondition): Trigger {
  const value = readObject(place, ['groups'], report)?.get('groups');
  const groups = readArray({ value, path: `${place.path}.groups` }, report);
  return {
    groups: groups.map((group, index) => {
      const path = `${place.path}.groups[${index}]`;
      const conditions = readObject({ value: group, path }, ['conditions'], report)?.get('conditions');
      const list = readArray({ value: conditions, path: `${path}.conditions` }, report);
      return {
        conditions: list.flatMap((condition, position) => {
          const at = { value: condition, path: `${path}.conditions[${position}]` };
          const read = readCondition(at, report);
          if (read === undefined) return [];
          check(read, at.path);
          return [read];
        }),
      };
    }),
  };
}

function readCondition(place: PlacedValue, report: ReportIssue): Condition | undefined {
  const values = readObject(place, ['field', 'operator', 'value'], report);
  if (values === null) return undefined;
  const [field, operator] = ['field', 'operator'].map((key) => {
    const value = values.get(key);
    if (typeof value === 'string' && value !== '') return value;
    report(`${place.path}.${key}`, `${place.path}.${key} must be a string that is not empty`);
    return undefined;
  });
  if (field === undefined || operator === undefined) return undefined;
  return { field, operator, ...(values.has('value') ? { value: values.get('value') } : {}) };
}

/** A value of a configuration and its path, such as `settings.rules[2].users`. */
export interface PlacedValue {
  readonly value: unknown;
  readonly path: string;
}

/**
 * The entries of a JSON object with known keys. An undefined entry counts as left out. Reports every unknown
 * key, and anything that is not an object; the result is then null.
 */
export function readObject(
  { value: raw, path }: PlacedValue,
  keys: readonly string[],
  report: ReportIssue,
): ReadonlyMap<string, unknown> | null {
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) {
    report(path, `${path} must be an object`);
    return null;
  }
  const values = new Map<string, unknown>();
  for (const [key, value] of Object.entries(raw)) {
    if (!keys.includes(key)) {
      const name = shownName(key);
      report(`${path}.${name}`, `Unknown key: ${name} (known: ${keys.join(', ')})`);
    } else if (value !== undefined) {
      values.set(key, value);
    }
  }
  return values;
}

/** The items of a JSON list; empty for undefined. Reports anything else. */
export function readArray({ value, path }: PlacedValue, report: ReportIssue): readonly unknown[] {
  if (value === undefined) {
    return [];
  }
  if (!Array.isArray(value)) {
    report(path, `${path} must be a list`);
    return [];
  }
  return value;
}

/** Whether a value has the form of an e-mail address. */
export function isEmail(value: unknown): value is string {
  return typeof value === 'string' && /^[^\s@]+@[^\s@]+$/.test(value);
}
