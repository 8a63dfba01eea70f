import { foldText } from '../../text/fold-text.js';
import { preparedOperator, negate } from './prepared-operator.js';
import { refuseValue } from './operand.js';
import type { TriggerOperator } from './trigger-operator.js';

/** Types whose stored form is an encoding, not text that a user wrote. */
const NOT_TEXT: ReadonlySet<string> = new Set(['number', 'bool', 'datetime']);

/**
 * An operator on the stored text without regard to case. The operand is not parsed by the field's type: it
 * may be a part of a value.
 */
function textOperator(id: string, holds: (value: string, operand: string) => boolean): TriggerOperator {
  return preparedOperator<string>(
    id,
    (value, { definition }) => {
      if (NOT_TEXT.has(definition.type)) {
        const message = `${id} compares text, but ${definition.internalName} is of type ${definition.type}`;
        return { ok: false, message, blame: 'operator' };
      }
      return typeof value === 'string' && value !== ''
        ? { ok: true, operand: foldText(value) }
        : refuseValue('value must be a string that is not empty');
    },
    (operand) => (value) => value !== undefined && holds(value.folded, operand),
  );
}

/** `contains`: the operand is part of the value; never for a missing value. */
export const CONTAINS = textOperator('contains', (value, operand) => value.includes(operand));

/** `not_contains`: the opposite of `contains`, so it holds for a missing value. */
export const NOT_CONTAINS = negate('not_contains', CONTAINS);

/** `starts_with`: the value begins with the operand; never for a missing value. */
export const STARTS_WITH = textOperator('starts_with', (value, operand) => value.startsWith(operand));

/** `ends_with`: the value ends with the operand; never for a missing value. */
export const ENDS_WITH = textOperator('ends_with', (value, operand) => value.endsWith(operand));
