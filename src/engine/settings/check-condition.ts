import type { ObjectType } from '../../fields/object-type.js';
import { shownName } from '../../text/shown-name.js';
import type { ReportIssue } from '../model/field-issue.js';
import type { FieldLookup } from '../trigger/field-value.js';
import type { TriggerOperator } from '../trigger/trigger-operator.js';
import type { CheckCondition } from './read-trigger.js';

/** What conditions can name. */
export interface KnownConditions {
  /** The fields of the account, system-managed ones included. */
  readonly fields: FieldLookup;
  /** The operators that are registered. */
  readonly operators: readonly TriggerOperator[];
}

/** Returns the check of a condition: reports an unknown field or operator, and an invalid operand. */
export function conditionCheck(
  objectType: ObjectType,
  known: KnownConditions,
  report: ReportIssue,
): CheckCondition {
  const operators = new Map(known.operators.map((operator) => [operator.id, operator]));
  return ({ field: name, operator: id, value }, path) => {
    const field = known.fields(objectType, name);
    const operator = operators.get(id);
    if (field === undefined) report(`${path}.field`, `Unknown field of ${objectType}: ${shownName(name)}`);
    if (operator === undefined) {
      report(
        `${path}.operator`,
        `Unknown operator: ${shownName(id)} (known: ${[...operators.keys()].join(', ')})`,
      );
    }
    const compiled = field === undefined ? undefined : operator?.compile(value, field);
    if (compiled?.ok === false) report(`${path}.${compiled.blame}`, compiled.message);
  };
}
