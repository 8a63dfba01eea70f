import { canonicalText } from '../../text/canonical-text.js';
import { textFinder } from '../../text/text-finder.js';
import { preparedOperator, negate } from './prepared-operator.js';
import { refuseValue } from './operand.js';
import type { TriggerOperator } from './trigger-operator.js';

/** Types whose stored form is an encoding, not text that a user wrote. */
const NOT_TEXT: ReadonlySet<string> = new Set(['number', 'bool', 'datetime', 'reference']);

/**
 * An operator on the canonical text of the stored value. The operand is not parsed by the field's type: it
 * may be a part of a value.
 * @param prepare returns the test for a canonical operand
 */
function textOperator(id: string, prepare: (operand: string) => (text: string) => boolean): TriggerOperator {
  return preparedOperator<string>(
    id,
    (value, { definition }) => {
      if (NOT_TEXT.has(definition.type)) {
        const message = `${id} compares text, but ${definition.internalName} is of type ${definition.type}`;
        return { ok: false, message, blame: 'operator' };
      }
      const operand = typeof value === 'string' ? canonicalText(value) : '';
      return operand === '' ? refuseValue('value must be a string that is not blank') : { ok: true, operand };
    },
    (operand) => {
      const holds = prepare(operand);
      return (value) => value !== undefined && holds(value.folded);
    },
  );
}

/** `contains`: the operand is part of the value; never for a missing value. */
export const CONTAINS = textOperator('contains', textFinder);

/** `not_contains`: the opposite of `contains`, so it holds for a missing value. */
export const NOT_CONTAINS = negate('not_contains', CONTAINS);

/** `starts_with`: the value begins with the operand; never for a missing value. */
export const STARTS_WITH = textOperator('starts_with', (operand) => (text) => text.startsWith(operand));

/** `ends_with`: the value ends with the operand; never for a missing value. */
export const ENDS_WITH = textOperator('ends_with', (operand) => (text) => text.endsWith(operand));
