import type { ValidationError } from 'class-validator';
import type { FieldError } from '../errors/domain-error.js';

/**
 * What class-validator found, as flat errors with paths such as `users[1].working_hours[0].start`.
 * @param prefix path of the validated object; empty for a request body
 */
export function flattenErrors(failures: readonly ValidationError[], prefix = ''): FieldError[] {
  return failures.flatMap(({ property, constraints = {}, children = [] }) => {
    const shown = property.slice(0, 100);
    const field = /^\d+$/.test(property)
      ? `${prefix}[${property}]`
      : prefix === ''
        ? shown
        : `${prefix}.${shown}`;
    const messages =
      'whitelistValidation' in constraints ? [`Unknown key: ${shown}`] : Object.values(constraints);
    return [
      ...messages.slice(0, 1).map((message) => ({ field, message })),
      ...flattenErrors(children, field),
    ];
  });
}
