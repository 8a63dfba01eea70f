import type { ReportIssue } from '../model/field-issue.js';
import type { Condition, Trigger } from '../model/router-configuration.js';
import { readArray, readObject } from './read-values.js';

/** Looks into a condition of sound shape; `path` is its place. */
export type CheckCondition = (condition: Condition, path: string) => void;

/**
 * Reads the shape of a trigger, `{"groups": [{"conditions": [{"field", "operator", "value"}]}]}`, reporting everything
 * out of shape; `groups` and `conditions` may be left out. Conditions of sound shape go to `check`.
 */
export function readTrigger(raw: unknown, path: string, report: ReportIssue, check: CheckCondition): Trigger {
  const groups = readArray(
    readObject(raw, path, ['groups'], report)?.get('groups'),
    `${path}.groups`,
    report,
  );
  return {
    groups: groups.map((group, index) => {
      const place = `${path}.groups[${index}]`;
      const conditions = readObject(group, place, ['conditions'], report)?.get('conditions');
      return {
        conditions: readArray(conditions, `${place}.conditions`, report).flatMap((condition, position) =>
          readCondition(condition, `${place}.conditions[${position}]`, report, check),
        ),
      };
    }),
  };
}

function readCondition(raw: unknown, path: string, report: ReportIssue, check: CheckCondition): Condition[] {
  const values = readObject(raw, path, ['field', 'operator', 'value'], report);
  if (values === null) {
    return [];
  }
  const field = readWord(values.get('field'), `${path}.field`, report);
  const operator = readWord(values.get('operator'), `${path}.operator`, report);
  if (field === null || operator === null) {
    return [];
  }
  const condition = { field, operator, ...(values.has('value') ? { value: values.get('value') } : {}) };
  check(condition, path);
  return [condition];
}

function readWord(raw: unknown, path: string, report: ReportIssue): string | null {
  if (typeof raw === 'string' && raw !== '') {
    return raw;
  }
  report(path, `${path} must be a string that is not empty`);
  return null;
}
