import { IS_EMPTY, IS_NOT_EMPTY } from './emptiness-operators.js';
import { EQ, IN, NEQ, NOT_IN } from './equality-operators.js';
import { BETWEEN, GT, GTE, LT, LTE } from './order-operators.js';
import { CONTAINS, ENDS_WITH, NOT_CONTAINS, STARTS_WITH } from './text-operators.js';
import type { TriggerOperator } from './trigger-operator.js';

/** The operators of contract section 4, in its order. */
export const BUILTIN_OPERATORS: readonly TriggerOperator[] = [
  EQ,
  NEQ,
  IN,
  NOT_IN,
  CONTAINS,
  NOT_CONTAINS,
  STARTS_WITH,
  ENDS_WITH,
  GT,
  GTE,
  LT,
  LTE,
  BETWEEN,
  IS_EMPTY,
  IS_NOT_EMPTY,
];
