import { ValidateBy } from 'class-validator';
import { textProblem } from '../text/text-problem.js';

/** A string of 1 to `max` characters that PostgreSQL can store: no NUL, no lone surrogate. */
export function IsStorableText(max: number): PropertyDecorator {
  return ValidateBy({
    name: 'isStorableText',
    validator: {
      validate: (value: unknown) =>
        typeof value === 'string' &&
        value.trim() !== '' &&
        value.length <= max &&
        textProblem(value) === undefined,
      defaultMessage: (args) => `${args?.property ?? 'value'} must be a text of 1 to ${max} characters`,
    },
  });
}
