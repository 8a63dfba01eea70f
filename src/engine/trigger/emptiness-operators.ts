import { preparedOperator, negate } from './prepared-operator.js';
import { refuseValue } from './operand.js';

/** `is_empty`: the record has no value in the field, because it never had one or because it was cleared. */
export const IS_EMPTY = preparedOperator<null>(
  'is_empty',
  (value) =>
    value === undefined || value === null || value === ''
      ? { ok: true, operand: null }
      : refuseValue('value must be left out: the operator takes none'),
  () => (value) => value === undefined,
);

/** `is_not_empty`: the record has a value in the field. */
export const IS_NOT_EMPTY = negate('is_not_empty', IS_EMPTY);
