import type { ReportIssue } from '../model/field-issue.js';
import type { Condition, Trigger } from '../model/router-configuration.js';
import { readArray, readObject, type PlacedValue } from './read-values.js';

/** Checks a condition of the right form. `path` is its place. */
export type CheckCondition = (condition: Condition, path: string) => void;

/** The functions that receive what reading finds. */
export interface Reading {
  readonly report: ReportIssue;
  /** Receives every condition of the right form. */
  readonly check: CheckCondition;
  /** True for settings as they are stored: they may have what cannot be configured. */
  readonly isStored?: boolean;
  /** Names, in lower case, of rules that may list nobody, because they do so already. */
  readonly emptyRules?: ReadonlySet<string> | undefined;
}

/**
 * Reads a trigger, `{"groups": [{"conditions": [{"field", "operator", "value"}]}]}`, and reports every value
 * of the wrong form. `groups` and `conditions` are optional. Passes conditions of the right form to
 * `reading.check`.
 */
export function readTrigger(place: PlacedValue, reading: Reading): Trigger {
  const { report } = reading;
  const value = readObject(place, ['groups'], report)?.get('groups');
  const groups = readArray({ value, path: `${place.path}.groups` }, report);
  return {
    groups: groups.map((group, index) => {
      const path = `${place.path}.groups[${index}]`;
      const conditions = readObject({ value: group, path }, ['conditions'], report)?.get('conditions');
      const list = readArray({ value: conditions, path: `${path}.conditions` }, report);
      return {
        conditions: list.flatMap((condition, position) =>
          readCondition({ value: condition, path: `${path}.conditions[${position}]` }, reading),
        ),
      };
    }),
  };
}

function readCondition(place: PlacedValue, { report, check }: Reading): Condition[] {
  const { path } = place;
  const values = readObject(place, ['field', 'operator', 'value'], report);
  if (values === null) {
    return [];
  }
  const field = readWord({ value: values.get('field'), path: `${path}.field` }, report);
  const operator = readWord({ value: values.get('operator'), path: `${path}.operator` }, report);
  if (field === null || operator === null) {
    return [];
  }
  const condition = { field, operator, ...(values.has('value') ? { value: values.get('value') } : {}) };
  check(condition, path);
  return [condition];
}

function readWord({ value, path }: PlacedValue, report: ReportIssue): string | null {
  if (typeof value === 'string' && value !== '') {
    return value;
  }
  report(path, `${path} must be a string that is not empty`);
  return null;
}
