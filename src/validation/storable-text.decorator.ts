import { ValidateBy } from 'class-validator';
import { textProblem } from '../text/text-problem.js';

/** Accepts a string of 1 to `max` characters that is not blank and that PostgreSQL can store. */
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
